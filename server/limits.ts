import { z } from 'zod';
import { localize } from './language.ts';

/** Limits of the server, each with a setting of its name. A test compares them with the table in docs/operating.md. */
export const LIMITS = {
  LIMIT_BODY_BYTES: {
    usual: 16_384,
    from: 1024,
    to: 1_048_576,
    of: 'bytes of a request’s body; a quote has under 1,000',
  },
  LIMIT_PART_BYTES: {
    usual: 98_304,
    from: 98_304,
    to: 1_048_576,
    of: 'bytes of a request’s body that brings a part of a file: 64 kB, written in letters',
  },
  LIMIT_HEADER_BYTES: { usual: 16_384, from: 4096, to: 65_536, of: 'bytes of a request’s headers' },
  LIMIT_ROWS: { usual: 1000, from: 1, to: 10_000, of: 'rows of one answer; a longer one is paged' },
  LIMIT_CONNECTIONS: { usual: 2000, from: 10, to: 100_000, of: 'connections at once' },
  LIMIT_CONNECTIONS_PER_ADDRESS: {
    usual: 400,
    from: 8,
    to: 100_000,
    of: 'connections at once from one address, and requests under way of one visitor; four times that from one IPv6 /48',
  },
  LIMIT_PER_CONNECTION: { usual: 8, from: 1, to: 1000, of: 'requests under way of one connection; one more closes it' },
  LIMIT_READS_PER_ADDRESS: { usual: 16, from: 1, to: 10_000, of: 'visitors’ reads under way from one address' },
  LIMIT_INSERTS_PER_ADDRESS: { usual: 256, from: 1, to: 10_000, of: 'visitors’ inserts under way from one address' },
  LIMIT_FILES_PER_ADDRESS: { usual: 8, from: 1, to: 10_000, of: 'parts of files under way from one address' },
  LIMIT_WAITING: { usual: 500, from: 1, to: 100_000, of: 'requests that wait for the database' },
  LIMIT_STATEMENT_MS: {
    usual: 2000,
    from: 100,
    to: 60_000,
    of: 'milliseconds that a request may keep the database busy',
  },
  LIMIT_REFUSED_PER_ADDRESS: {
    usual: 300,
    from: 0,
    to: 1_000_000,
    of: 'refused requests of one address within an hour, four times that of one IPv6 /48; 0 is no bound',
  },
  LIMIT_WRONG_PASSWORDS_PER_ADDRESS: {
    usual: 20,
    from: 1,
    to: 10_000,
    of: 'wrong passwords from one address within a quarter of an hour; five of them for one account',
  },
  LIMIT_WRONG_PASSWORDS_PER_ACCOUNT: {
    usual: 50,
    from: 1,
    to: 10_000,
    of: 'wrong passwords for one account within an hour, from addresses it was never opened from',
  },
  RATE_LIMIT_PER_ADDRESS: {
    usual: 60,
    from: 0,
    to: 1_000_000,
    of: 'quotes stored from one address within an hour, as many replies, devices and megabytes of files, four times that from one IPv6 /48; 0 is no bound',
  },
  RATE_LIMIT_OVERALL: {
    usual: 2000,
    from: 0,
    to: 10_000_000,
    of: 'quotes stored from all addresses within an hour, as many replies, devices and megabytes of files; 0 is no bound',
  },
} as const;

/** Setting with a whole number. An empty value means the default. */
export const wholeNumber = (name: string, { usual, from, to }: { usual: number; from: number; to: number }) =>
  z
    .string()
    .trim()
    .default('')
    .refine((value) => !value || (/^\d{1,9}$/.test(value) && Number(value) >= from && Number(value) <= to), {
      error: ({ input }) =>
        localize({
          es: `${name} debe ser un número entero de ${from} a ${to}; es "${String(input)}".`,
          en: `${name} must be a whole number from ${from} to ${to}; it is "${String(input)}".`,
        }),
    })
    .transform((value) => (value ? Number(value) : usual));

type Name = keyof typeof LIMITS;
type LimitSettings = { readonly [Each in Name]: ReturnType<typeof wholeNumber> };

export const limitSettings = z.object(
  Object.fromEntries(Object.entries(LIMITS).map(([name, limit]) => [name, wholeNumber(name, limit)])) as LimitSettings,
);

export type Limits = Readonly<z.infer<typeof limitSettings>>;
