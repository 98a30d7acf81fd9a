import { delayOthers, never, othersRequested, startIsland, whenVisible, type Island } from '../ui/hydration.ts';
import { isSavingData } from '../phone/is-saving-data.ts';
import type { QuoteFormElement } from './quote-form.ts';

const loadForm = () => import('./quote-form.ts');

/**
 * True if the islands cost no data: without data saving, or if a worker has stored all but the map
 * (build/essential-files.ts).
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
    /** Loads the form and sends a quote whose submit button was pressed; form and sending work without React. */
    async first(form) {
      await loadForm();
      await import('../form/send-quote.ts').catch(() => undefined);
      await (form as QuoteFormElement).pressing;
    },
  },
  tray: {
    load: () => import('../receipts/Tray.tsx').then((module) => module.Tray),
    // The list of quotes is closed at first, so it is hydrated only after another island has loaded React.
    due: () => othersRequested,
  },
} satisfies Record<string, Island>;

export type IslandName = keyof typeof islands;

/** Starts the islands, and the form, for which the other islands wait. */
export function startIslands(): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-island]'))
    void startIsland(element, islands[element.dataset['island'] as IslandName]);
  if (isFree) delayOthers(loadForm());
}
