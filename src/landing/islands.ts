import type { ComponentType } from 'react';
import {
  delayOthers,
  never,
  othersRequested,
  whenVisible,
  hydrateIsland,
  hydrateOthers,
  firstAttempts,
} from '../ui/hydration.ts';
import { isSavingData } from '../phone/is-saving-data.ts';
import type { QuoteFormElement } from './quote-form.ts';

const load = {
  network: () => import('../network/NetworkMap.tsx').then((module) => module.NetworkMap),
  phone: () => import('../phone/PhoneSettings.tsx').then((module) => module.PhoneSettings),
  quote: () => import('./Quote.tsx').then((module) => module.Quote),
  tray: () => import('../receipts/Tray.tsx').then((module) => module.Tray),
} satisfies Record<string, () => Promise<ComponentType>>;

export type IslandName = keyof typeof load;

const TOUCHES = ['pointerdown', 'focusin', 'submit'];

const loadForm = () => import('./quote-form.ts');

/**
 * Loads the form and sends a quote whose submit button was pressed, before React is fetched: both work without React.
 */
async function beforeReact(form: HTMLElement): Promise<void> {
  await loadForm();
  await import('../form/send-quote.ts').catch(() => undefined);
  await (form as QuoteFormElement).pressing;
}

/** Hydrates each island as soon as it is needed, with code from its own chunk. */
export function hydrateIslands(): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-island]')) {
    const name = element.dataset['island'] as IslandName;
    const pressed = new Promise((resolve) => {
      for (const type of TOUCHES) element.addEventListener(type, resolve);
      // The visitor may have touched the island before this script ran.
      if (element.pressed || element.matches(':focus-within')) resolve(true);
    });
    // In data saver mode an island that is not cached is fetched only when touched. The worker caches all islands but
    // the map (build/essential-files.ts).
    const onlyIfTouched = isSavingData() && (name === 'network' || !navigator.serviceWorker?.controller);
    if (name === 'quote' && !onlyIfTouched) delayOthers(loadForm());
    // The list of quotes waits for another island's hydration, because it is closed until then.
    const due = name === 'tray' ? othersRequested : onlyIfTouched ? never() : whenVisible(element);
    void Promise.race([pressed, due.then(() => firstAttempts)])
      .then(() => hydrateIsland(element, load[name], name === 'quote' ? () => beforeReact(element) : undefined))
      .then(hydrateOthers);
  }
}
