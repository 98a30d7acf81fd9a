import { delayOthers, never, othersRequested, startIsland, whenVisible, type Island } from '../ui/hydration.ts';
import { isSavingData } from '../phone/is-saving-data.ts';
import type { QuoteFormElement } from './quote-form.ts';

const loadForm = () => import('./quote-form.ts');

/**
 * True if starting React in an island downloads no data that data saver mode should save: the mode is off, or the
 * worker has stored all files except the map (build/essential-files.ts).
 */
const isFree = !isSavingData() || navigator.serviceWorker?.controller;
const due = isFree ? whenVisible : never;

const islands = {
  network: {
    load: () => import('../network/NetworkMap.tsx').then((module) => module.NetworkMap),
    due: isSavingData() ? never : whenVisible,
  },
  phone: { load: () => import('../phone/PhoneSettings.tsx').then((module) => module.PhoneSettings), due },
  quote: {
    load: () => import('./Quote.tsx').then((module) => module.Quote),
    due,
    /** Loads the form, and sends the quote if its submit button was pressed before it loaded. Neither needs React. */
    async first(form) {
      await loadForm();
      await import('../form/send-quote.ts').catch(() => undefined);
      await (form as QuoteFormElement).pressing;
    },
  },
  tray: {
    load: () => import('../receipts/Tray.tsx').then((module) => module.Tray),
    // The list of quotes is closed at first, so React starts here only after it has started in another island.
    due: () => othersRequested,
  },
} satisfies Record<string, Island>;

export type IslandName = keyof typeof islands;

/** Starts the islands. The form's code is loaded first: the other islands wait for it. */
export function startIslands(): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-island]'))
    void startIsland(element, islands[element.dataset['island'] as IslandName]);
  if (isFree) delayOthers(loadForm());
}
