import type { ComponentType } from 'react';

declare global {
  interface Element {
    /** Form or button pressed before hydration (set by before-paint.ts). */
    pressed?: HTMLElement;
  }
}

/** Part of the page that React hydrates, with code from its own chunk. */
export interface Island {
  readonly load: () => Promise<ComponentType>;
  /** Resolves when the island is needed without a touch. */
  readonly due: (element: HTMLElement) => Promise<unknown>;
  /** Work that must be done before React is fetched. */
  readonly first?: (element: HTMLElement) => Promise<unknown>;
}

const TOUCHES = ['pointerdown', 'focusin', 'click', 'submit'];
const LONGEST_WAIT = 30_000;
const LONGEST_RETRY = 10 * 60_000;

/** Resolves after the wait, or earlier when the connection returns. */
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

  /** Hydrates an island at the first touch, or when it is due. React loads with the first island. */
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
    // The visitor may have touched the island before this script ran.
    if (!element.pressed && !element.matches(':focus-within'))
      await Promise.race([touch(), due(element).then(() => attempts)]);
    for (let wait = 1000; ; wait = Math.min(wait * 2, LONGEST_WAIT)) {
      const attempt = hydrateIsland();
      delayOthers(attempt);
      try {
        await attempt;
        return hydrateOthers();
      } catch {
        // The connection was lost before the script arrived. Typed text and presses stay until the connection returns.
        await Promise.race([touch(), pause(wait)]);
      }
    }
  }

  return {
    startIsland,
    /** Makes all islands that nobody touches wait for this work: on a weak connection the touched island loads alone. */
    delayOthers,
    /** Settles when the first attempts that are running have ended. */
    firstAttempts: () => attempts,
    /** Hydrates the list of quotes before any touch, for instance because this phone has quotes. */
    hydrateOthers,
    /** Resolves at the first hydration or the first `hydrateOthers`, after which React is loaded. */
    othersRequested,
  };
}

export const { startIsland, delayOthers, firstAttempts, hydrateOthers, othersRequested } = createHydration();

/** Loads a part that no press waits for, retrying with growing pauses. A lost file is a 'module' error (import-chunk.ts). */
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
