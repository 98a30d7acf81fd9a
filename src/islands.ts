import type { ComponentType } from 'react';
import { isSavingData } from './pwa/saving.ts';

/** `others`: with the first other island that wakes. */
export type When = 'visible' | 'touch' | 'others';

const load = {
  network: () => import('./network/NetworkMap.tsx').then((module) => module.NetworkMap),
  phone: () => import('./pwa/PhoneSettings.tsx').then((module) => module.PhoneSettings),
  quote: () => import('./quote/QuoteForm.tsx').then((module) => module.QuoteForm),
  tray: () => import('./quote/Tray.tsx').then((module) => module.Tray),
  notices: () => import('./notices/Toaster.tsx').then((module) => module.Toaster),
} satisfies Record<string, () => Promise<ComponentType>>;

export type IslandName = keyof typeof load;

declare global {
  interface Element {
    /** Was this island touched before it woke? (before-paint.ts keeps it.) */
    touched?: true;
    /** And what was pressed in it: a form or a button. */
    pressed?: HTMLElement;
  }
}

const TOUCHES = ['pointerdown', 'focusin', 'submit'];
const LONGEST_WAIT = 30_000;

/** Each part of the page that needs script is hydrated on its own, from its own chunk. */
export function wakeIslands(): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-island]')) {
    const name = element.dataset['island'] as IslandName;
    const pressed = new Promise((resolve) => {
      for (const type of TOUCHES) element.addEventListener(type, resolve, { once: true });
      // The touch may have come before this script.
      if (element.touched || element.matches(':focus-within')) resolve(undefined);
    });
    const when = element.dataset['when'] as When;
    // A visitor who saves data fetches nothing that was not touched; a worker has all of them but the map (sw/least.ts).
    const sparing = isSavingData() && (name === 'network' || !navigator.serviceWorker?.controller);
    const due = { visible, touch: never, others: () => othersWanted }[sparing && when !== 'others' ? 'touch' : when](
      element,
    );
    void Promise.race([pressed, due.then(() => waking)])
      .then(() => wake(element, load[name]))
      .then(wakeOthers);
  }
}

const never = () => new Promise<never>(() => {});

let wantOthers: () => void;
/** Resolves with the first island that wakes, or with the first call of `wakeOthers`: from then on React is here. */
export const othersWanted = new Promise<void>((resolve) => (wantOthers = resolve));
/** For what waits from an earlier visit, before anything was touched. */
export const wakeOthers = (): void => wantOthers();

/** Resolves when no first attempt goes on. On a weak line what was touched comes alone: all else waits for that. */
export let waking: Promise<unknown>;

/** React comes with the first island that wakes, side by side with its chunk. */
export async function wake(element: HTMLElement, fetchPart: () => Promise<ComponentType>, wait = 1000): Promise<void> {
  try {
    const parts = Promise.all([import('./wake.tsx'), fetchPart()]);
    const attempt = parts.then(([{ hydrate }, Component]) => hydrate(element, Component));
    waking = Promise.allSettled([waking, attempt]);
    await attempt;
  } catch {
    // The signal went between the page and its script. What was typed and pressed stays until it is back.
    await new Promise((resolve) => {
      setTimeout(resolve, wait);
      addEventListener('online', resolve, { once: true });
    });
    return wake(element, fetchPart, Math.min(wait * 2, LONGEST_WAIT));
  }
  element.dataset['awake'] = '';
  const { pressed } = element;
  if (pressed instanceof HTMLFormElement) pressed.requestSubmit();
  else pressed?.click();
}

export function idle(): Promise<unknown> {
  return new Promise((resolve) => {
    const whenLoaded = () =>
      // Safari has no requestIdleCallback.
      'requestIdleCallback' in window ? requestIdleCallback(resolve, { timeout: 5000 }) : setTimeout(resolve, 500);
    if (document.readyState === 'complete') whenLoaded();
    else addEventListener('load', whenLoaded, { once: true });
  });
}

function visible(element: Element): Promise<unknown> {
  return new Promise((resolve) => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        resolve(undefined);
      },
      { rootMargin: '300px' },
    );
    observer.observe(element);
  });
}
