import type { ComponentType } from 'react';

declare global {
  interface Element {
    /** Was this island touched before it woke? (before-paint.ts keeps it.) */
    touched?: true;
    /** And what was pressed in it: a form or a button. */
    pressed?: HTMLElement;
  }
}

const LONGEST_WAIT = 30_000;
const LONGEST_INSISTING = 10 * 60_000;

export const never = () => new Promise<never>(() => {});

let wantOthers: () => void;
/** Resolves with the first island that wakes, or with the first call of `wakeOthers`: from then on React is here. */
export const othersWanted = new Promise<void>((resolve) => (wantOthers = resolve));
/** For what waits from an earlier visit, before anything was touched. */
export const wakeOthers = (): void => wantOthers();

/** Resolves when no first attempt goes on. On a weak line what was touched comes alone: all else waits for that. */
export let waking: Promise<unknown>;

/** Makes all other islands wait for this work too. */
export function hold(work: Promise<unknown>): void {
  waking = Promise.allSettled([waking, work]);
}

/** React comes with the first island that wakes, side by side with its chunk. */
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
    // The signal went between the page and its script. What was typed and pressed stays until it is back.
    await new Promise((resolve) => {
      setTimeout(resolve, wait);
      addEventListener('online', resolve);
      for (const type of ['click', 'submit']) element.addEventListener(type, resolve);
    });
    return wake(element, fetchPart, first, Math.min(wait * 2, LONGEST_WAIT));
  }
  element.dataset['awake'] = '';
  // What is pressed in the form is the form's.
  if (element.matches('quote-form')) return;
  delete element.dataset['pressed'];
  element.pressed?.click();
}

/** On a weak line what no press waits for is asked for again, and less and less. What was lost is a 'module' (bring.ts). */
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
      // In a page that stands still Chromium may call nobody before its next frame.
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
