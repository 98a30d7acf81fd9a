import type { Bilingual } from '../../src/content/bilingual.ts';
import type { CheckResult } from '../../src/content/desk-system.ts';
import type { Environment } from '../../build/setting-names.ts';
import type { Fetch } from '../plain-fetch.ts';
import type { Settings } from '../settings.ts';

/** Examined machine. Tests replace its functions to cause each fault. */
export interface Machine {
  readonly settings: Settings;
  readonly environment: Environment;
  readonly address: string;
  readonly fetch: Fetch;
  readonly now: () => number;
  /** Measures the free bytes of a folder's disk, and the milliseconds that a synced write of 4 kB takes. */
  readonly disk: (folder: string) => Promise<{ readonly free: number; readonly syncMs: number }>;
  readonly memory: () => number;
  readonly node: string;
  readonly devices: () => Promise<number>;
  /** Counts the webhooks that did not arrive within a day. */
  readonly asideWebhooks: () => Promise<number>;
  /** Counts the webhooks of WhatsApp that failed ten times. */
  readonly stuckHooks: () => Promise<number>;
  /** Restores a backup elsewhere. Absent in a running server, which needs its memory for quotes. */
  readonly tryBackup?: (file: string) => Promise<{ readonly quotes: number }>;
  readonly sends: boolean;
}

/** Result of a check. `detail` (an error, a path, an e-mail address) is shown in the terminal, but not at the desk. */
export interface Finding extends CheckResult {
  readonly detail?: string | undefined;
}

export type Check = (machine: Machine) => Promise<Finding>;

export const well = (says: Bilingual, detail?: string): Finding => ({ kind: 'well', says, detail });
export const unknown = (says: Bilingual, detail?: string): Finding => ({ kind: 'unknown', says, detail });
export const fault = (says: Bilingual, cure: Bilingual, detail?: string): Finding => ({
  kind: 'fault',
  says,
  cure,
  detail,
});

export const REQUEST_TIMEOUT = 8000;

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
