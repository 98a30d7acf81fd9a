import { readAlertSettings, type AlertSettings } from './alerts/settings.ts';
import type { BackupSettings } from './database/backups.ts';
import { LIMITS, type Limits } from './limits.ts';

export interface Settings {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  /** How many proxies of ours stand in front, each adding the address it saw to x-forwarded-for. */
  readonly trustedProxies: number;
  readonly limits: Limits;
  readonly anonKey: string;
  /** Set when the site speaks to hosted Supabase, and no embedded database is opened. */
  readonly hosted: string | undefined;
  /** The address under which the site is published, where it is known. */
  readonly siteUrl: string | undefined;
  readonly alerts: AlertSettings;
  /** Where backups are kept without anybody's doing. */
  readonly backups: BackupSettings | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Throws a sentence that names the variable when a value cannot be meant. */
export function readSettings(environment: Environment): Settings {
  const hosted = environment['VITE_SUPABASE_URL'] || undefined;
  if (hosted && !URL.canParse(hosted))
    throw new Error(`VITE_SUPABASE_URL must be an address such as https://abcd.supabase.co; it is "${hosted}".`);
  return {
    port: wholeNumber(environment, 'PORT', { usual: 4173, from: 0, to: 65_535 }),
    host: environment['HOST'] || '127.0.0.1',
    dataDir: environment['DATA_DIR'] || '.data',
    trustedProxies: wholeNumber(environment, 'TRUST_PROXY', { usual: 0, from: 0, to: 10 }),
    limits: readLimits(environment),
    anonKey: environment['VITE_SUPABASE_ANON_KEY'] || 'aeropuente-public',
    hosted,
    siteUrl: environment['VITE_SITE_URL'] || undefined,
    alerts: readAlertSettings(environment),
    backups: readBackups(environment),
  };
}

const HOUR = 3_600_000;

function readBackups({ BACKUP_DIR: folder, BACKUP_EVERY: every = '' }: Environment): BackupSettings | undefined {
  const [, count, unit] = /^([1-9]\d{0,3})([hd])$/.exec(every.trim() || '1d') ?? [];
  if (!count) throw new Error(`BACKUP_EVERY must be hours or days, such as 12h or 1d; it is "${every}".`);
  return folder ? { folder, everyMs: Number(count) * (unit === 'h' ? HOUR : 24 * HOUR) } : undefined;
}

export function readLimits(environment: Environment): Limits {
  const entries = Object.entries(LIMITS).map(([name, limit]) => [name, wholeNumber(environment, name, limit)]);
  return Object.fromEntries(entries) as Limits;
}

/** Those that are not as usual, as `npm start` says them. */
export function changedLimits(limits: Limits): string[] {
  return (Object.keys(LIMITS) as (keyof Limits)[])
    .filter((name) => limits[name] !== LIMITS[name].usual)
    .map((name) => `${name}=${limits[name]}`);
}

function wholeNumber(
  environment: Environment,
  name: string,
  { usual, from, to }: { usual: number; from: number; to: number },
): number {
  const value = environment[name]?.trim();
  if (!value) return usual;
  if (/^\d{1,9}$/.test(value) && Number(value) >= from && Number(value) <= to) return Number(value);
  throw new Error(`${name} must be a whole number from ${from} to ${to}; it is "${value}".`);
}
