import type { Bilingual } from '../../../src/content/bilingual.ts';
import type { Fetch } from '../../plain-fetch.ts';
import type { Environment } from '../../alerts/settings.ts';
import type { Settings } from '../../settings.ts';
import { localize } from '../../language.ts';

/** The examined machine. A test replaces the means to put each fault there. */
export interface Machine {
  readonly settings: Settings;
  readonly environment: Environment;
  readonly fetch: Fetch;
  readonly now: () => number;
  /** Free bytes where a folder is, and milliseconds until 4 kB are on its disk. */
  readonly disk: (folder: string) => { readonly free: number; readonly syncMs: number };
  /** Bytes of memory that the service may have. */
  readonly memory: () => number;
  readonly node: string;
  /** A test mail is sent. */
  readonly sends: boolean;
}

export interface Finding {
  readonly kind: 'well' | 'fault' | 'unknown';
  readonly says: string;
  /** The remedy of a fault. */
  readonly cure?: string;
}

export type Check = (machine: Machine) => Promise<Finding>;

export const well = (says: Bilingual): Finding => ({ kind: 'well', says: localize(says) });
/** A check that does not apply here, or could not be made. */
export const unknown = (says: Bilingual): Finding => ({ kind: 'unknown', says: localize(says) });
export const fault = (says: Bilingual, cure: Bilingual): Finding => ({
  kind: 'fault',
  says: localize(says),
  cure: localize(cure),
});

/** Milliseconds until an address counts as silent. */
export const PATIENCE = 8000;

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Address of the service on this machine. */
export const ownAddress = ({ settings: { host, port } }: Machine) =>
  `http://${['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host}:${port}`;
