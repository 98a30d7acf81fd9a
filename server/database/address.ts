import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { OperatorError } from '../language.ts';

/**
 * Values of sslmode that libpq has too, because pg_dump gets the same address. `require` encrypts, but does not check
 * the certificate.
 */
const MODES = ['verify-full', 'require', 'disable'] as const;

export interface PostgresAddress {
  readonly url: string;
  readonly mode: (typeof MODES)[number];
  /** File with the certificate of a private certificate authority. */
  readonly authority: string | undefined;
  /** Address without user and password, for the log. */
  readonly name: string;
}

const EXAMPLE = 'postgresql://user:password@host:5432/aeropuente?sslmode=verify-full';

/** Reads DATABASE_URL. Errors omit the value, because it contains a password. */
export function readPostgresAddress(text: string): PostgresAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^postgres(ql)?:$/.test(url.protocol) || url.pathname.length < 2)
    throw new OperatorError({
      es: `DATABASE_URL debe ser la dirección de una base de datos de PostgreSQL, como ${EXAMPLE}.`,
      en: `DATABASE_URL must be the address of a PostgreSQL database, such as ${EXAMPLE}.`,
    });
  const host = url.searchParams.get('host') ?? url.hostname;
  const isHere = host === '' || host.startsWith('/') || isLoopback(host);
  const wanted = url.searchParams.get('sslmode') ?? (isHere ? 'disable' : undefined);
  // The operator has to turn encryption off explicitly, because only a tunnel or a private network makes it
  // unnecessary.
  if (!wanted)
    throw new OperatorError({
      es: 'DATABASE_URL apunta a otra máquina: agréguele ?sslmode=verify-full, o ?sslmode=disable si la red es sólo suya.',
      en: 'DATABASE_URL points to another machine: add ?sslmode=verify-full to it, or ?sslmode=disable on a private network.',
    });
  const mode = MODES.find((each) => each === wanted);
  if (!mode)
    throw new OperatorError({
      es: `sslmode en DATABASE_URL debe ser uno de ${MODES.join(', ')}; es "${wanted.slice(0, 40)}".`,
      en: `sslmode in DATABASE_URL must be one of ${MODES.join(', ')}; it is "${wanted.slice(0, 40)}".`,
    });
  const authority = url.searchParams.get('sslrootcert') ?? undefined;
  if (authority !== undefined && !existsSync(authority))
    throw new OperatorError({
      es: `sslrootcert en DATABASE_URL nombra un archivo que no existe: ${authority}`,
      en: `sslrootcert in DATABASE_URL names a file that does not exist: ${authority}`,
    });
  for (const name of ['sslmode', 'sslrootcert']) url.searchParams.delete(name);
  return { url: url.href, mode, authority, name: `${host || 'localhost'}${url.port && `:${url.port}`}${url.pathname}` };
}

function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  return bare === 'localhost' || bare === '::1' || (isIP(bare) === 4 && bare.startsWith('127.'));
}
