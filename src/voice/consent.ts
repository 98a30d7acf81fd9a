import { tryStorage } from '../phone/storage-access.ts';

/** Version of the consent text; raise it to ask again. */
const VERSION = 1;
const KEY = 'aeropuente.voice-consent';

/** True if consent was given on this page, even without storage. */
let given = false;

export function hasConsented(): boolean {
  const stored = tryStorage(() => JSON.parse(localStorage.getItem(KEY) ?? 'null') as { version?: number } | null);
  return given || stored?.version === VERSION;
}

export function giveConsent(): void {
  given = true;
  const consent = { version: VERSION, at: new Date().toISOString() };
  tryStorage(() => localStorage.setItem(KEY, JSON.stringify(consent)));
}
