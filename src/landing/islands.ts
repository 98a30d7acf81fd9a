import type { ComponentType } from 'react';
import { hold, never, othersWanted, visible, wake, wakeOthers, waking } from '../ui/waking.ts';
import { isSavingData } from '../phone/saving.ts';

/** `others`: with the first other island that wakes. */
export type When = 'visible' | 'touch' | 'others';

const load = {
  network: () => import('../network/NetworkMap.tsx').then((module) => module.NetworkMap),
  phone: () => import('../phone/PhoneSettings.tsx').then((module) => module.PhoneSettings),
  quote: () => import('./Quote.tsx').then((module) => module.Quote),
  tray: () => import('../receipts/Tray.tsx').then((module) => module.Tray),
  notices: () => import('../notices/Toaster.tsx').then((module) => module.Toaster),
} satisfies Record<string, () => Promise<ComponentType>>;

export type IslandName = keyof typeof load;

const TOUCHES = ['pointerdown', 'focusin', 'submit'];

let keeper: Promise<ReturnType<typeof import('./keeper.ts').keepFor> | undefined> | undefined;

/** The keeper comes before all else: a press meanwhile waits for it alone. */
const fetchKeeper = (island: HTMLElement) =>
  (keeper ??= import('./keeper.ts').then(
    ({ keepFor }) => keepFor(island),
    () => (keeper = undefined),
  ));

/** Keeper and sender come before the form itself, once somebody has begun to write. */
async function beforeForm(island: HTMLElement): Promise<void> {
  const keeping = await fetchKeeper(island);
  await import('./sender.ts').catch(() => undefined);
  await keeping?.();
}

/** Each part of the page that needs script is hydrated on its own, from its own chunk. */
export function wakeIslands(): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-island]')) {
    const name = element.dataset['island'] as IslandName;
    const pressed = new Promise((resolve) => {
      for (const type of TOUCHES) element.addEventListener(type, resolve);
      // The touch may have come before this script.
      if (element.touched || element.matches(':focus-within')) resolve(true);
    });
    const when = element.dataset['when'] as When;
    // A visitor who saves data fetches nothing that was not touched; a worker has all of them but the map (sw/least.ts).
    const sparing = isSavingData() && (name === 'network' || !navigator.serviceWorker?.controller);
    if (name === 'quote' && !sparing) hold(fetchKeeper(element));
    const due = { visible, touch: never, others: () => othersWanted }[sparing && when !== 'others' ? 'touch' : when](
      element,
    );
    void Promise.race([pressed, due.then(() => waking)])
      .then(() => wake(element, load[name], name === 'quote' ? () => beforeForm(element) : undefined))
      .then(wakeOthers);
  }
}
