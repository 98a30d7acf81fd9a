import { tryStorage } from '../phone/storage-access.ts';

/** Version of the consent text; raise it to ask again. */
const VERSION = 1;
const KEY = 'aeropuente.voice-consent';

function createConsent() {
  /** True if consent was given on this page, even without storage. */
  let isGiven = false;
  return {
    isGiven(): boolean {
      const stored = tryStorage(() => JSON.parse(localStorage.getItem(KEY) ?? 'null') as { version?: number } | null);
      return isGiven || stored?.version === VERSION;
    },
    give(): void {
      isGiven = true;
      const given = { version: VERSION, at: new Date().toISOString() };
      tryStorage(() => localStorage.setItem(KEY, JSON.stringify(given)));
    },
  };
}

export const consent = createConsent();
