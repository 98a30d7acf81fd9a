import { z } from 'zod';
import { readRenamed, type Environment } from '../build/setting-names.ts';
import { alertSettings, readAlertSettings, type AlertSettings } from './alerts/settings.ts';
import { readPostgresAddress, type PostgresAddress } from './database/address.ts';
import type { BackupSettings } from './database/backups.ts';
import { hosts } from './hosts.ts';
import { localize, OperatorError } from './language.ts';
import { LOG_FORMATS } from './log.ts';
import { readAs } from './read-as.ts';
import { limitSettings, LIMITS, wholeNumber, type Limits } from './limits.ts';

export interface Settings {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  /** Number of the operator's proxies in front of the server, each of which adds an address to x-forwarded-for. */
  readonly trustedProxies: number;
  readonly limits: Limits;
  readonly publishableKey: string;
  /** Address of hosted Supabase, if the site uses it instead of its own database. */
  readonly hosted: string | undefined;
  readonly database: { readonly address: PostgresAddress; readonly connections: number } | undefined;
  readonly siteUrl: string | undefined;
  readonly alerts: AlertSettings;
  readonly backups: BackupSettings | undefined;
  /** Token for `GET /metrics`. If it is not set, the path does not exist. */
  readonly metricsToken: string | undefined;
  /** Months without activity after which a quote is blocked. Three months later it is erased. 0 means never. */
  readonly retentionMonths: number;
  /** Hosts that may receive webhooks although their address is private. */
  readonly webhookHosts: readonly string[];
  readonly logFormat: (typeof LOG_FORMATS)[number];
  /** Address of the `release.json` of the newest release. */
  readonly releaseUrl: string | undefined;
}

/** Exit code after a wrong setting (EX_CONFIG of sysexits.h), after which systemd does not restart the server. */
export const WRONG_SETTING = 78;

/** Optional text. An empty value counts as missing. */
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
      localize({
        es: `VITE_SUPABASE_URL debe ser una dirección como https://abcd.supabase.co; es "${String(input)}".`,
        en: `VITE_SUPABASE_URL must be an address such as https://abcd.supabase.co; it is "${String(input)}".`,
      }),
  }),
  PORT: wholeNumber('PORT', { usual: 4173, from: 0, to: 65_535 }),
  HOST: text('127.0.0.1'),
  DATA_DIR: text('.data'),
  DATABASE_URL: postgresAddress,
  DATABASE_CONNECTIONS: wholeNumber('DATABASE_CONNECTIONS', { usual: 10, from: 2, to: 200 }),
  TRUST_PROXY: wholeNumber('TRUST_PROXY', { usual: 0, from: 0, to: 10 }),
  VITE_SUPABASE_PUBLISHABLE_KEY: text('aeropuente-public'),
  VITE_SITE_URL: maybe,
  // The value must be one line, because the server fills it into the privacy notice.
  VITE_DATA_PLACE: maybe.refine((value) => value === undefined || /^[^\r\n]{1,120}$/.test(value), {
    error: localize({
      es: 'VITE_DATA_PLACE debe ser una línea de 120 letras como máximo.',
      en: 'VITE_DATA_PLACE must be one line of at most 120 characters.',
    }),
  }),
  BACKUP_DIR: maybe,
  RELEASE_URL: maybe.refine((value) => value === undefined || /^https?:$/.test(URL.parse(value)?.protocol ?? ''), {
    error: ({ input }) =>
      localize({
        es: `RELEASE_URL debe ser la dirección de un release.json; es "${String(input)}".`,
        en: `RELEASE_URL must be an address of a release.json; it is "${String(input)}".`,
      }),
  }),
  // The error omits the value, which is a secret.
  METRICS_TOKEN: maybe.refine((value) => value === undefined || /^\S{16,}$/.test(value), {
    error: localize({
      es: 'METRICS_TOKEN debe tener 16 letras o más, sin espacios: openssl rand -hex 16.',
      en: 'METRICS_TOKEN must be 16 characters or more, without a space: openssl rand -hex 16.',
    }),
  }),
  RETENTION_MONTHS: wholeNumber('RETENTION_MONTHS', { usual: 0, from: 0, to: 600 }),
  WEBHOOK_PRIVATE_HOSTS: hosts('WEBHOOK_PRIVATE_HOSTS'),
  LOG_FORMAT: text('lines').pipe(
    z.enum(LOG_FORMATS, {
      error: ({ input }) =>
        localize({
          es: `LOG_FORMAT debe ser ${LOG_FORMATS.join(' o ')}; es "${String(input)}".`,
          en: `LOG_FORMAT must be ${LOG_FORMATS.join(' or ')}; it is "${String(input)}".`,
        }),
    }),
  ),
  BACKUP_EVERY: z
    .string()
    .default('')
    .transform((value) => value.trim() || '1d')
    .refine((value) => /^[1-9]\d{0,3}[hd]$/.test(value), {
      error: ({ input }) =>
        localize({
          es: `BACKUP_EVERY debe ser horas o días, como 12h o 1d; es "${String(input)}".`,
          en: `BACKUP_EVERY must be hours or days, such as 12h or 1d; it is "${String(input)}".`,
        }),
    })
    .transform((value) => Number.parseInt(value, 10) * (value.endsWith('h') ? HOUR : 24 * HOUR)),
});

export const SETTING_NAMES = [ownSettings, limitSettings, alertSettings.in].flatMap(({ shape }) => Object.keys(shape));

/** Reads the settings. Throws an error that names the first wrong one. */
export function readSettings(environment: Environment): Settings {
  const publishable = readRenamed('VITE_SUPABASE_PUBLISHABLE_KEY', environment);
  const own = readAs(ownSettings, { ...environment, VITE_SUPABASE_PUBLISHABLE_KEY: publishable });
  if (own.VITE_SUPABASE_URL && own.DATABASE_URL)
    throw new OperatorError({
      es: 'VITE_SUPABASE_URL y DATABASE_URL están puestas: deje sólo una.',
      en: 'VITE_SUPABASE_URL and DATABASE_URL are both set: keep only one.',
    });
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
    webhookHosts: own.WEBHOOK_PRIVATE_HOSTS,
    logFormat: own.LOG_FORMAT,
    releaseUrl: own.RELEASE_URL,
  };
}

export const readLimits = (environment: Environment): Limits => readAs(limitSettings, environment);

/** Lists limits that differ from their defaults, for the log. */
export function changedLimits(limits: Limits): string[] {
  return (Object.keys(LIMITS) as (keyof Limits)[])
    .filter((name) => limits[name] !== LIMITS[name].usual)
    .map((name) => `${name}=${limits[name]}`);
}
