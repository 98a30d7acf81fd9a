import type { ComponentType } from 'react';

declare global {
  interface Element {
    /** Form or button pressed before hydration (set by before-paint.ts). */
    pressed?: HTMLElement;
  }
}

const LONGEST_WAIT = 30_000;
const LONGEST_RETRY = 10 * 60_000;

export const never = () => new Promise<never>(() => {});

let requestOthers: () => void;
/** Resolves at the first hydration or the first `hydrateOthers`, after which React is loaded. */
export const othersRequested = new Promise<void>((resolve) => (requestOthers = resolve));
/** Hydrates the other islands before any touch, for instance because this phone has quotes. */
export const hydrateOthers = (): void => requestOthers();

/** Settles after the first attempts that are running: on a weak connection the touched island loads alone. */
export let firstAttempts: Promise<unknown>;

/** Makes all other islands wait for this work. */
export function delayOthers(work: Promise<unknown>): void {
  firstAttempts = Promise.allSettled([firstAttempts, work]);
}

/** Hydrates an island after `first`. React loads with the first island, in parallel with its chunk. */
export async function hydrateIsland(
  element: HTMLElement,
  fetchPart: () => Promise<ComponentType>,
  first: () => Promise<unknown> = async () => {},
  wait = 1000,
): Promise<void> {
  try {
    const parts = first().then(() => Promise.all([import('./hydrate.tsx'), fetchPart()]));
    const attempt = parts.then(([{ hydrate }, Component]) => hydrate(element, Component));
    delayOthers(attempt);
    await attempt;
  } catch {
    // The signal was lost between page and script; typed text and presses stay until it returns.
    await new Promise((resolve) => {
      setTimeout(resolve, wait);
      addEventListener('online', resolve);
      for (const type of ['click', 'submit']) element.addEventListener(type, resolve);
    });
    return hydrateIsland(element, fetchPart, first, Math.min(wait * 2, LONGEST_WAIT));
  }
  element.dataset['awake'] = '';
  // The form replays presses itself.
  if (element.matches('quote-form')) return;
  delete element.dataset['pressed'];
  element.pressed?.click();
}

/** Loads a part that no press waits for, retrying with growing pauses. A lost file is a 'module' error (import-chunk.ts). */
export async function loadWithRetry<Part>(fetchPart: () => Promise<Part>, wait = 1000): Promise<Part> {
  try {
    return await fetchPart();
  } catch (error) {
    if (!/module/i.test(String(error))) throw error;
    await new Promise((resolve) => {
      if (wait < LONGEST_RETRY) setTimeout(resolve, wait);
      addEventListener('online', resolve);
    });
    return loadWithRetry(fetchPart, wait * 2);
  }
}

export function whenIdle(): Promise<unknown> {
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

export function whenVisible(element: Element): Promise<void> {
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
