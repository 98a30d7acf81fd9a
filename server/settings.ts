import { z } from 'zod';
import { readRenamed } from '../build/setting-names.ts';
import { alertSettings, readAlertSettings, readAs, type AlertSettings, type Environment } from './alerts/settings.ts';
import { readPostgresAddress, type PostgresAddress } from './database/address.ts';
import type { BackupSettings } from './database/backups.ts';
import { LOG_FORMATS } from './log.ts';
import { limitSettings, LIMITS, wholeNumber, type Limits } from './limits.ts';

export interface Settings {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  /** How many proxies of ours stand in front, each adding the address it saw to x-forwarded-for. */
  readonly trustedProxies: number;
  readonly limits: Limits;
  readonly publishableKey: string;
  /** Set when the site speaks to hosted Supabase, and no embedded database is opened. */
  readonly hosted: string | undefined;
  /** A PostgreSQL of one's own in place of the embedded one. */
  readonly database: { readonly address: PostgresAddress; readonly connections: number } | undefined;
  /** The address under which the site is published, where it is known. */
  readonly siteUrl: string | undefined;
  readonly alerts: AlertSettings;
  /** Where backups are kept without anybody's doing. */
  readonly backups: BackupSettings | undefined;
  /** What `GET /metrics` is asked with; without one there are none. */
  readonly metricsToken: string | undefined;
  /** After so many months without a word a quote is blocked, and erased three later; 0 is never. */
  readonly retentionMonths: number;
  readonly logFormat: (typeof LOG_FORMATS)[number];
  /** Address of the `release.json` of the newest release. */
  readonly releaseUrl: string | undefined;
}

/** Exit code of a start with a setting that cannot be meant (sysexits.h): systemd does not try it again. */
export const WRONG_SETTING = 78;

/** A blank is as good as none. */
const text = (usual: string) =>
  z
    .string()
    .default('')
    .transform((value) => value || usual);
const maybe = z
  .string()
  .optional()
  .transform((value) => value || undefined);

const HOUR = 3_600_000;

const postgresAddress = maybe.transform((value, context) => {
  try {
    return value === undefined ? undefined : readPostgresAddress(value);
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message });
    return z.NEVER;
  }
});

const ownSettings = z.object({
  VITE_SUPABASE_URL: maybe.refine((value) => value === undefined || URL.canParse(value), {
    error: ({ input }) =>
      `VITE_SUPABASE_URL must be an address such as https://abcd.supabase.co; it is "${String(input)}".`,
  }),
  PORT: wholeNumber('PORT', { usual: 4173, from: 0, to: 65_535 }),
  HOST: text('127.0.0.1'),
  DATA_DIR: text('.data'),
  DATABASE_URL: postgresAddress,
  DATABASE_CONNECTIONS: wholeNumber('DATABASE_CONNECTIONS', { usual: 10, from: 2, to: 200 }),
  TRUST_PROXY: wholeNumber('TRUST_PROXY', { usual: 0, from: 0, to: 10 }),
  VITE_SUPABASE_PUBLISHABLE_KEY: text('aeropuente-public'),
  VITE_SITE_URL: maybe,
  // In the privacy notice, which is filled in when it is served.
  VITE_DATA_PLACE: maybe.refine((value) => value === undefined || /^[^\r\n]{1,120}$/.test(value), {
    error: 'VITE_DATA_PLACE must be one line of at most 120 characters.',
  }),
  BACKUP_DIR: maybe,
  RELEASE_URL: maybe.refine((value) => value === undefined || /^https?:$/.test(URL.parse(value)?.protocol ?? ''), {
    error: ({ input }) => `RELEASE_URL must be an address of a release.json; it is "${String(input)}".`,
  }),
  // Not said with its value.
  METRICS_TOKEN: maybe.refine((value) => value === undefined || /^\S{16,}$/.test(value), {
    error: 'METRICS_TOKEN must be 16 characters or more, without a space: openssl rand -hex 16.',
  }),
  RETENTION_MONTHS: wholeNumber('RETENTION_MONTHS', { usual: 0, from: 0, to: 600 }),
  LOG_FORMAT: text('lines').pipe(
    z.enum(LOG_FORMATS, {
      error: ({ input }) => `LOG_FORMAT must be ${LOG_FORMATS.join(' or ')}; it is "${String(input)}".`,
    }),
  ),
  BACKUP_EVERY: z
    .string()
    .default('')
    .transform((value) => value.trim() || '1d')
    .refine((value) => /^[1-9]\d{0,3}[hd]$/.test(value), {
      error: ({ input }) => `BACKUP_EVERY must be hours or days, such as 12h or 1d; it is "${String(input)}".`,
    })
    .transform((value) => Number.parseInt(value, 10) * (value.endsWith('h') ? HOUR : 24 * HOUR)),
});

/** All that the server reads of its environment. */
export const SETTING_NAMES = [ownSettings, limitSettings, alertSettings.in].flatMap(({ shape }) => Object.keys(shape));

/** Throws a sentence that names the variable when a value cannot be meant. */
export function readSettings(environment: Environment): Settings {
  const publishable = readRenamed('VITE_SUPABASE_PUBLISHABLE_KEY', environment);
  const own = readAs(ownSettings, { ...environment, VITE_SUPABASE_PUBLISHABLE_KEY: publishable });
  if (own.VITE_SUPABASE_URL && own.DATABASE_URL)
    throw new Error('VITE_SUPABASE_URL and DATABASE_URL are both set: quotes go to one of them.');
  return {
    port: own.PORT,
    host: own.HOST,
    dataDir: own.DATA_DIR,
    trustedProxies: own.TRUST_PROXY,
    limits: readLimits(environment),
    publishableKey: own.VITE_SUPABASE_PUBLISHABLE_KEY,
    hosted: own.VITE_SUPABASE_URL,
    database: own.DATABASE_URL && { address: own.DATABASE_URL, connections: own.DATABASE_CONNECTIONS },
    siteUrl: own.VITE_SITE_URL,
    alerts: readAlertSettings(environment),
    backups: own.BACKUP_DIR ? { folder: own.BACKUP_DIR, everyMs: own.BACKUP_EVERY } : undefined,
    metricsToken: own.METRICS_TOKEN,
    retentionMonths: own.RETENTION_MONTHS,
    logFormat: own.LOG_FORMAT,
    releaseUrl: own.RELEASE_URL,
  };
}

export const readLimits = (environment: Environment): Limits => readAs(limitSettings, environment);

/** Those that are not as usual, as `npm start` says them. */
export function changedLimits(limits: Limits): string[] {
  return (Object.keys(LIMITS) as (keyof Limits)[])
    .filter((name) => limits[name] !== LIMITS[name].usual)
    .map((name) => `${name}=${limits[name]}`);
}
