import { isSavingData } from './is-saving-data.ts';
import { persistedText } from './persisted.ts';

/** The visitor's choice. before-paint.ts (src/landing) reads it too, to mark the document before the first paint. */
const choice = persistedText('aeropuente.data-saver');
const CHANGED = 'data-saver';

/** Stores the visitor's own choice, which outranks the browser's data saver and a slow connection. */
export function chooseSavingData(on: boolean): void {
  choice.set(on ? 'on' : 'off');
  setSaving(on);
}

export function watchDataSaver(listener: () => void): () => void {
  addEventListener(CHANGED, listener);
  return () => removeEventListener(CHANGED, listener);
}

interface Connection extends EventTarget {
  readonly saveData?: boolean;
  readonly effectiveType?: string;
}

/**
 * Shows the choice in the prerendered switch, which is off: with data saving, React hydrates the switch only when
 * touched.
 */
export function showChoice(): void {
  const show = () => document.querySelector('[role=switch]')?.setAttribute('aria-checked', String(isSavingData()));
  show();
  watchDataSaver(show);
}

/** Turns data saving on and off with the connection during a visit; only Chromium reports changes. */
export function followLine(): void {
  const { connection } = navigator as { connection?: Connection };
  connection?.addEventListener('change', () => {
    if (!choice.get()) setSaving(connection.saveData === true || /2g/.test(connection.effectiveType ?? ''));
  });
}

function setSaving(on: boolean): void {
  if (on === isSavingData()) return;
  document.documentElement.toggleAttribute('data-saving', on);
  dispatchEvent(new Event(CHANGED));
}
