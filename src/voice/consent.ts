import { persisted } from '../phone/persisted.ts';

/** Version of the consent text. A higher version asks every visitor again. */
const VERSION = 1;

interface Given {
  readonly version: number;
  readonly at: string;
}

function createConsent() {
  const stored = persisted('aeropuente.voice-consent', (value) =>
    (value as Given | null | undefined)?.version === VERSION ? (value as Given) : undefined,
  );
  /** True if consent was given on this page, even without storage. */
  let isGiven = false;
  return {
    isGiven: (): boolean => isGiven || stored.get() !== undefined,
    give(): void {
      isGiven = true;
      stored.set({ version: VERSION, at: new Date().toISOString() });
    },
  };
}

export const consent = createConsent();
