export interface Settings {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  /** Quotes one address may store within an hour; 0 is no bound. */
  readonly ratePerAddress: number;
  /** How many proxies of ours stand in front, each adding the address it saw to x-forwarded-for. */
  readonly trustedProxies: number;
  readonly anonKey: string;
  /** Set when the site speaks to hosted Supabase, and no embedded database is opened. */
  readonly hosted: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Throws a sentence that names the variable when a value cannot be meant. */
export function readSettings(environment: Environment): Settings {
  const hosted = environment['VITE_SUPABASE_URL'] || undefined;
  if (hosted && !URL.canParse(hosted))
    throw new Error(`VITE_SUPABASE_URL must be an address such as https://abcd.supabase.co; it is "${hosted}".`);
  return {
    port: wholeNumber(environment, 'PORT', { fallback: 4173, from: 0, to: 65_535 }),
    host: environment['HOST'] || '127.0.0.1',
    dataDir: environment['DATA_DIR'] || '.data',
    ratePerAddress: wholeNumber(environment, 'RATE_LIMIT_PER_ADDRESS', { fallback: 60, from: 0, to: 1_000_000 }),
    trustedProxies: wholeNumber(environment, 'TRUST_PROXY', { fallback: 0, from: 0, to: 10 }),
    anonKey: environment['VITE_SUPABASE_ANON_KEY'] || 'aeropuente-public',
    hosted,
  };
}

function wholeNumber(
  environment: Environment,
  name: string,
  { fallback, from, to }: { fallback: number; from: number; to: number },
): number {
  const value = environment[name]?.trim();
  if (!value) return fallback;
  if (/^\d{1,9}$/.test(value) && Number(value) >= from && Number(value) <= to) return Number(value);
  throw new Error(`${name} must be a whole number from ${from} to ${to}; it is "${value}".`);
}
