import type { ComponentType } from 'react';

declare global {
  interface Element {
    /** Form or button that was pressed before React started (set by before-paint.ts). */
    pressed?: HTMLElement;
  }
}

/** Island: part of the page in which React starts later, with code from a separate file. */
export interface Island {
  readonly load: () => Promise<ComponentType>;
  /** Resolves when the island is needed even though nobody has touched it. */
  readonly due: (element: HTMLElement) => Promise<unknown>;
  /** Work that must be done before React is downloaded. */
  readonly first?: (element: HTMLElement) => Promise<unknown>;
}

const TOUCHES = ['pointerdown', 'focusin', 'click', 'submit'];
const LONGEST_WAIT = 30_000;
const LONGEST_RETRY = 10 * 60_000;

/** Resolves after the wait, or earlier if the connection comes back. */
const pause = (wait: number) =>
  new Promise((resolve) => {
    if (wait < LONGEST_RETRY) setTimeout(resolve, wait);
    addEventListener('online', resolve);
  });

export const never = () => new Promise<never>(() => {});

function createHydration() {
  let attempts: Promise<unknown>;
  let hydrateOthers!: () => void;
  const othersRequested = new Promise<void>((resolve) => (hydrateOthers = resolve));
  const delayOthers = (work: Promise<unknown>): unknown => (attempts = Promise.allSettled([attempts, work]));

  /** Starts React in an island at the first touch, or when the island is due. The first island also loads React. */
  async function startIsland(element: HTMLElement, { load, due, first }: Island): Promise<void> {
    const touch = () =>
      new Promise<unknown>((resolve) => {
        for (const type of TOUCHES) element.addEventListener(type, resolve);
      });
    const hydrateIsland = async () => {
      await first?.(element);
      const [{ hydrate }, Component] = await Promise.all([import('./hydrate.tsx'), load()]);
      await hydrate(element, Component);
    };
    // The visitor may have touched the island before this script arrived.
    if (!element.pressed && !element.matches(':focus-within'))
      await Promise.race([touch(), due(element).then(() => attempts)]);
    for (let wait = 1000; ; wait = Math.min(wait * 2, LONGEST_WAIT)) {
      const attempt = hydrateIsland();
      delayOthers(attempt);
      try {
        await attempt;
        return hydrateOthers();
      } catch {
        // The connection was lost before the code arrived. Typed text and recorded presses stay until the connection
        // comes back.
        await Promise.race([touch(), pause(wait)]);
      }
    }
  }

  return {
    startIsland,
    /**
     * Makes the islands that nobody has touched wait until `work` ends. On a weak connection a touched island then
     * loads alone.
     */
    delayOthers,
    /** Resolves when all attempts so far to start React in an island have ended. */
    firstAttempts: () => attempts,
    /** Starts React in the list of quotes without a touch, for example because this phone has quotes. */
    hydrateOthers,
    /** Resolves when the first island has started, or at the first `hydrateOthers`. */
    othersRequested,
  };
}

export const { startIsland, delayOthers, firstAttempts, hydrateOthers, othersRequested } = createHydration();

/**
 * Loads code for which no press waits, and retries after growing pauses. A file that did not arrive is a 'module' error
 * (import-chunk.ts).
 */
export async function loadWithRetry<Part>(fetchPart: () => Promise<Part>, wait = 1000): Promise<Part> {
  try {
    return await fetchPart();
  } catch (error) {
    if (!/module/i.test(String(error))) throw error;
    await pause(wait);
    return loadWithRetry(fetchPart, wait * 2);
  }
}

export function whenIdle(): Promise<unknown> {
  return new Promise((resolve) => {
    const whenLoaded = () => {
      // Safari has no `requestIdleCallback`.
      if (!('requestIdleCallback' in window)) return setTimeout(resolve, 500);
      requestIdleCallback(resolve, { timeout: 5000 });
      // While nothing changes on the page, Chromium may run idle callbacks only after the next frame, so a frame is
      // requested.
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
