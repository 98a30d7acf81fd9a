import { persisted } from '../phone/persisted.ts';

/** Version of the consent text. If it is raised, every visitor is asked again. */
const VERSION = 1;

interface Given {
  readonly version: number;
  readonly at: string;
}

function createConsent() {
  const stored = persisted('aeropuente.voice-consent', (value) =>
    (value as Given | null | undefined)?.version === VERSION ? (value as Given) : undefined,
  );
  /** True if the visitor agreed on this page, even if the browser stores nothing. */
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
