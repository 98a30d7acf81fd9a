import { isSavingData } from './is-saving-data.ts';
import { persistedText } from './persisted.ts';

/** Choice of the visitor. src/landing/before-paint.ts reads it too, so that the page is right from the first paint. */
const choice = persistedText('aeropuente.data-saver');
const CHANGED = 'data-saver';

/** Stores the visitor's choice. The choice overrides the browser's data saver mode and a slow connection. */
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
 * Shows the visitor's choice in the switch. The built page shows the switch as off, and in data saver mode React starts
 * there only after a touch.
 */
export function showChoice(): void {
  const show = () => document.querySelector('[role=switch]')?.setAttribute('aria-checked', String(isSavingData()));
  show();
  watchDataSaver(show);
}

/** Turns data saver mode on or off when the connection changes during a visit. Only Chromium reports such changes. */
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
