import { existsSync } from 'node:fs';
import { isIP } from 'node:net';

/** Words of libpq, so that the same address serves pg_dump: encrypted with the certificate looked at, or not, or not at all. */
const MODES = ['verify-full', 'require', 'disable'] as const;

/** Where a PostgreSQL of one's own is, and how the way there is protected. */
export interface PostgresAddress {
  /** With nothing in it about encryption. */
  readonly url: string;
  readonly mode: (typeof MODES)[number];
  /** A file with the certificates of the authority that vouches for the server, where it is none of the public ones. */
  readonly authority: string | undefined;
  /** As it is said: without user and password. */
  readonly name: string;
}

const EXAMPLE = 'postgresql://user:password@host:5432/aeropuente?sslmode=verify-full';

/** Throws a sentence that does not repeat what was given: there is a password in it. */
export function readPostgresAddress(given: string): PostgresAddress {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!url || !/^postgres(ql)?:$/.test(url.protocol) || url.pathname.length < 2)
    throw new Error(`DATABASE_URL must be the address of a database of PostgreSQL, such as ${EXAMPLE}.`);
  const host = url.searchParams.get('host') ?? url.hostname;
  const isHere = host === '' || host.startsWith('/') || isLoopback(host);
  const wanted = url.searchParams.get('sslmode') ?? (isHere ? 'disable' : undefined);
  // A vendor's tunnel or a network of containers needs no encryption, and only its operator knows that.
  if (!wanted)
    throw new Error(
      'DATABASE_URL leads to another machine: say in it how. ?sslmode=verify-full, or ?sslmode=disable where the way there is nobody else’s.',
    );
  const mode = MODES.find((each) => each === wanted);
  if (!mode)
    throw new Error(`sslmode in DATABASE_URL must be one of ${MODES.join(', ')}; it is "${wanted.slice(0, 40)}".`);
  const authority = url.searchParams.get('sslrootcert') ?? undefined;
  if (authority !== undefined && !existsSync(authority))
    throw new Error(`sslrootcert in DATABASE_URL names a file that is not there: ${authority}`);
  for (const name of ['sslmode', 'sslrootcert']) url.searchParams.delete(name);
  return { url: url.href, mode, authority, name: `${host || 'localhost'}${url.port && `:${url.port}`}${url.pathname}` };
}

function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  return bare === 'localhost' || bare === '::1' || (isIP(bare) === 4 && bare.startsWith('127.'));
}
