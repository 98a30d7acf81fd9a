import { isSavingData } from './saving.ts';
import { tryStorage } from './storage-access.ts';

/** Read before the first paint by src/landing/before-paint.ts, which marks the document with what it finds. */
const KEY = 'aeropuente.data-saver';
const CHANGED = 'data-saver';

/** The visitor's own choice: it outlasts what the line says. */
export function chooseSavingData(on: boolean): void {
  tryStorage(() => localStorage.setItem(KEY, on ? 'on' : 'off'));
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

/** The switch, as the document brings it, is off; for who saves data nothing wakes it before it is touched. */
export function showChoice(): void {
  const show = () => document.querySelector('[role=switch]')?.setAttribute('aria-checked', String(isSavingData()));
  show();
  watchDataSaver(show);
}

/** A line gets better or worse during a visit. Only Chromium says. */
export function followLine(): void {
  const { connection } = navigator as { connection?: Connection };
  connection?.addEventListener('change', () => {
    if (!tryStorage(() => localStorage.getItem(KEY)))
      setSaving(connection.saveData === true || /2g/.test(connection.effectiveType ?? ''));
  });
}

function setSaving(on: boolean): void {
  if (on === isSavingData()) return;
  document.documentElement.toggleAttribute('data-saving', on);
  dispatchEvent(new Event(CHANGED));
}
