import type { ComponentType } from 'react';

declare global {
  interface Element {
    /** Form or button pressed before hydration (set by before-paint.ts). */
    pressed?: HTMLElement;
  }
}

const LONGEST_WAIT = 30_000;
const LONGEST_INSISTING = 10 * 60_000;

export const never = () => new Promise<never>(() => {});

let wantOthers: () => void;
/** Resolves at the first hydration or the first `wakeOthers`, after which React is loaded. */
export const othersWanted = new Promise<void>((resolve) => (wantOthers = resolve));
/** Hydrates the islands because of an earlier visit, before any touch. */
export const wakeOthers = (): void => wantOthers();

/** Resolves when no first attempt is running: on a weak connection the touched island loads alone. */
export let waking: Promise<unknown>;

/** Makes all other islands wait for this work. */
export function hold(work: Promise<unknown>): void {
  waking = Promise.allSettled([waking, work]);
}

/** Hydrates an island. React loads with the first one, in parallel with its chunk. */
export async function wake(
  element: HTMLElement,
  fetchPart: () => Promise<ComponentType>,
  first: () => Promise<unknown> = async () => {},
  wait = 1000,
): Promise<void> {
  try {
    const parts = first().then(() => Promise.all([import('./wake.tsx'), fetchPart()]));
    const attempt = parts.then(([{ hydrate }, Component]) => hydrate(element, Component));
    hold(attempt);
    await attempt;
  } catch {
    // The signal was lost between page and script; typed text and presses stay until it returns.
    await new Promise((resolve) => {
      setTimeout(resolve, wait);
      addEventListener('online', resolve);
      for (const type of ['click', 'submit']) element.addEventListener(type, resolve);
    });
    return wake(element, fetchPart, first, Math.min(wait * 2, LONGEST_WAIT));
  }
  element.dataset['awake'] = '';
  // The form replays presses itself.
  if (element.matches('quote-form')) return;
  delete element.dataset['pressed'];
  element.pressed?.click();
}

/** Retries with growing pauses a part that no press waits for. A lost file is a 'module' error (bring.ts). */
export async function insist<Part>(fetchPart: () => Promise<Part>, wait = 1000): Promise<Part> {
  try {
    return await fetchPart();
  } catch (error) {
    if (!/module/i.test(String(error))) throw error;
    await new Promise((resolve) => {
      if (wait < LONGEST_INSISTING) setTimeout(resolve, wait);
      addEventListener('online', resolve);
    });
    return insist(fetchPart, wait * 2);
  }
}

export function idle(): Promise<unknown> {
  return new Promise((resolve) => {
    const whenLoaded = () => {
      // Safari has no requestIdleCallback.
      if (!('requestIdleCallback' in window)) return setTimeout(resolve, 500);
      requestIdleCallback(resolve, { timeout: 5000 });
      // A static page in Chromium may run idle callbacks only after the next frame.
      return requestAnimationFrame(() => undefined);
    };
    if (document.readyState === 'complete') whenLoaded();
    else addEventListener('load', whenLoaded);
  });
}

export function visible(element: Element): Promise<void> {
  return new Promise((resolve) => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        resolve();
      },
      { rootMargin: '300px' },
    );
    observer.observe(element);
  });
}
