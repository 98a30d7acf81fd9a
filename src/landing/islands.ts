import type { ComponentType } from 'react';
import { hold, never, othersWanted, visible, wake, wakeOthers, waking } from '../ui/waking.ts';
import { isSavingData } from '../phone/saving.ts';
import type { QuoteFormElement } from './quote-form.ts';

const load = {
  network: () => import('../network/NetworkMap.tsx').then((module) => module.NetworkMap),
  phone: () => import('../phone/PhoneSettings.tsx').then((module) => module.PhoneSettings),
  quote: () => import('./Quote.tsx').then((module) => module.Quote),
  tray: () => import('../receipts/Tray.tsx').then((module) => module.Tray),
} satisfies Record<string, () => Promise<ComponentType>>;

export type IslandName = keyof typeof load;

const TOUCHES = ['pointerdown', 'focusin', 'submit'];

const bringForm = () => import('./quote-form.ts');

/** Gives the line to the form, which needs no React, and to a pressed quote first. */
async function beforeReact(form: HTMLElement): Promise<void> {
  await bringForm();
  await import('../form/sending.ts').catch(() => undefined);
  await (form as QuoteFormElement).pressing;
}

/** Hydrates each island when it is due, from its own chunk. */
export function wakeIslands(): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-island]')) {
    const name = element.dataset['island'] as IslandName;
    const pressed = new Promise((resolve) => {
      for (const type of TOUCHES) element.addEventListener(type, resolve);
      // A touch may have come before this script.
      if (element.pressed || element.matches(':focus-within')) resolve(true);
    });
    // A visitor who saves data fetches nothing that was not touched; a worker has all of them but the map (build/essential-files.ts).
    const sparing = isSavingData() && (name === 'network' || !navigator.serviceWorker?.controller);
    if (name === 'quote' && !sparing) hold(bringForm());
    // The list shows nothing until another island has woken.
    const due = name === 'tray' ? othersWanted : sparing ? never() : visible(element);
    void Promise.race([pressed, due.then(() => waking)])
      .then(() => wake(element, load[name], name === 'quote' ? () => beforeReact(element) : undefined))
      .then(wakeOthers);
  }
}
