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
  /** Measures the free bytes of a folder's disk, and the milliseconds of a synced write of 4 kB. */
  readonly disk: (folder: string) => Promise<{ readonly free: number; readonly syncMs: number }>;
  /** Measures the memory that the service may use, in bytes. */
  readonly memory: () => number;
  readonly node: string;
  readonly devices: () => Promise<number>;
  /** Restores a backup elsewhere. Absent in a running server, whose memory is for quotes. */
  readonly tryBackup?: (file: string) => Promise<{ readonly quotes: number }>;
  readonly sends: boolean;
}

/** Result of a check. Only the terminal shows `detail`: an error, a path, an e-mail address. */
export interface Finding extends CheckResult {
  readonly detail?: string | undefined;
}

export type Check = (machine: Machine) => Promise<Finding>;

export const well = (says: Bilingual, detail?: string): Finding => ({ kind: 'well', says, detail });
/** Finding of a check that does not apply, or could not be made. */
export const unknown = (says: Bilingual, detail?: string): Finding => ({ kind: 'unknown', says, detail });
export const fault = (says: Bilingual, cure: Bilingual, detail?: string): Finding => ({
  kind: 'fault',
  says,
  cure,
  detail,
});

/** Milliseconds after which an address counts as silent. */
export const REQUEST_TIMEOUT = 8000;

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
