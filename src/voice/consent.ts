/** Raised when what is agreed to changes: then it is asked anew. */
const VERSION = 1;
const KEY = 'aeropuente.voice-consent';

let given = false;

export function hasConsented(): boolean {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? 'null') as { version?: number } | null;
    return given || kept?.version === VERSION;
  } catch {
    return given;
  }
}

export function giveConsent(): void {
  given = true;
  try {
    localStorage.setItem(KEY, JSON.stringify({ version: VERSION, at: new Date().toISOString() }));
  } catch {
    // It holds for this page.
  }
}
