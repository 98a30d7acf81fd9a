import { tryStorage } from '../phone/storage-access.ts';

/** Raised when what is agreed to changes: then it is asked anew. */
const VERSION = 1;
const KEY = 'aeropuente.voice-consent';

/** Where nothing can be kept, it holds for this page. */
let given = false;

export function hasConsented(): boolean {
  const kept = tryStorage(() => JSON.parse(localStorage.getItem(KEY) ?? 'null') as { version?: number } | null);
  return given || kept?.version === VERSION;
}

export function giveConsent(): void {
  given = true;
  const consent = { version: VERSION, at: new Date().toISOString() };
  tryStorage(() => localStorage.setItem(KEY, JSON.stringify(consent)));
}
