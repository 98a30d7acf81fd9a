import { readFileSync } from 'node:fs';
import { DatabaseError, Pool, type PoolClient } from 'pg';
import type { PostgresAddress } from './address.ts';
import { TRANSACTION_TIMEOUT, type Database, type Statement, type TransactionOptions } from './database.ts';
import type { Bilingual } from '../../src/content/bilingual.ts';
import { localize, OperatorError } from '../language.ts';
import { FailedMigration, migrate, OtherRelease } from './migrate.ts';
import { API_ROLES, AUTH_FUNCTIONS, CREATE_MISSING_ROLES } from './roles.ts';
import { databaseError, databaseUnavailable } from './watched-thread.ts';

interface PostgresData {
  readonly address: PostgresAddress;
  readonly connections: number;
  readonly migrations: string;
  /** False for a command, which must not change the schema of running servers. */
  readonly mayMigrate: boolean;
  readonly afterwards: readonly Statement[];
}

/** Oldest supported version of PostgreSQL. */
const OLDEST = 15;
const WAIT_FOR_CONNECTION = 5000;
/**
 * Milliseconds beyond a statement's time limit. If PostgreSQL has not answered by then, the connection counts as lost.
 */
const GRACE = 5000;
/** Key of the advisory lock that a migrating process takes. The number is arbitrary. */
const LOCK = 7_360_214_589_315_011;

/**
 * Connects to the operator's own PostgreSQL server, which several processes may share. Each write sets
 * synchronous_commit, so that an acknowledged write is on disk whatever the server's settings are.
 */
export async function openPostgres(data: PostgresData): Promise<Database> {
  const { address, connections } = data;
  const pool = new Pool({
    connectionString: address.url,
    ssl: encryption(address),
    max: connections,
    connectionTimeoutMillis: WAIT_FOR_CONNECTION,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: 'aeropuente',
  });
  // Errors of idle connections are ignored here, because the next request reports the same error.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const take = connectionsOf(pool, address);

  try {
    await prepare(pool, data);
  } catch (error) {
    await pool.end();
    throw new OperatorError(unreachableReason(error, address), { cause: error });
  }
  return {
    // A connection stays free for work that does not wait in the queue of requests, such as sending alerts.
    atOnce: Math.max(1, connections - 1),
    async transaction<Row extends object>(
      statements: readonly Statement[],
      { access = 'write', within = TRANSACTION_TIMEOUT }: TransactionOptions = {},
    ): Promise<Row[]> {
      const client = await take();
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(databaseUnavailable()), within + GRACE);
      });
      const work = carryOut<Row>(client, statements, beginSql(access, within));
      try {
        const rows = await Promise.race([work, late]);
        client.release();
        return rows;
      } catch (error) {
        const isSound = error instanceof DatabaseError && (await isUndone(client));
        client.release(!isSound);
        // The statement may still fail later, when its connection ends. Its error is caught here, because Node would
        // otherwise report it as unhandled.
        await work.catch(() => undefined);
        throw failureOf(error);
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => pool.end(),
  };
}

/** Takes connections from the pool. Logs when PostgreSQL stops answering, and when it answers again. */
function connectionsOf(pool: Pool, address: PostgresAddress): () => Promise<PoolClient> {
  let isReached = true;

  return async () => {
    try {
      const client = await pool.connect();
      if (!isReached) console.log(`PostgreSQL at ${address.name} answers again.`);
      isReached = true;
      return client;
    } catch (error) {
      if (isPoolEmpty(error)) throw databaseError('53300', 'All connections to the database are taken');
      // The error is logged once, not for every request that fails until PostgreSQL answers again.
      if (isReached) console.error(localize(unreachableReason(error, address)));
      isReached = false;
      throw failureOf(error);
    }
  };
}

function encryption({ mode, authority }: PostgresAddress) {
  if (mode === 'disable') return false;
  return {
    rejectUnauthorized: mode === 'verify-full',
    ...(authority && { ca: readFileSync(authority, 'utf8') }),
  };
}

function beginSql(access: 'read' | 'write', within: number): string {
  const bound = Math.ceil(within);
  return `${access === 'read' ? 'begin read only' : 'begin'};
    set local synchronous_commit = on; set local statement_timeout = ${bound};
    set local idle_in_transaction_session_timeout = ${bound && bound + GRACE}`;
}

async function carryOut<Row extends object>(
  client: PoolClient,
  statements: readonly Statement[],
  begin: string,
): Promise<Row[]> {
  await client.query(begin);
  let rows: Row[] = [];
  for (const { sql, parameters } of statements) {
    if (parameters) rows = (await client.query<Row>(sql, [...parameters])).rows;
    else await client.query(sql);
  }
  await client.query('commit');
  return rows;
}

async function isUndone(client: PoolClient): Promise<boolean> {
  return client.query('rollback').then(
    () => true,
    () => false,
  );
}

/** Creates roles, functions and schema, in one process at a time. */
async function prepare(pool: Pool, { migrations, mayMigrate, afterwards }: PostgresData): Promise<void> {
  const client = await pool.connect();
  let isSound = false;
  try {
    const server = await requireFit(client);
    await lock(client);
    // A migration has no time limit, because it may change many rows.
    const unbounded: Pick<Database, 'transaction'> = {
      transaction: async <Row extends object>(statements: readonly Statement[]) => {
        try {
          return await carryOut<Row>(client, statements, beginSql('write', 0));
        } catch (error) {
          await isUndone(client);
          throw error;
        }
      },
    };
    await makeRoles(client, server);
    await makeAuthFunctions(client);
    await migrate(unbounded, migrations, async () => {
      if (!mayMigrate)
        throw new UnfitServer({
          es: 'La base de datos es de una versión anterior. Arranque antes el servidor de ésta.',
          en: 'The database is of an earlier release. Start the server of this one first.',
        });
      console.log('The database is being upgraded.');
    });
    if (afterwards.length > 0) await unbounded.transaction(afterwards);
    await client.query('select pg_advisory_unlock($1)', [LOCK]);
    isSound = true;
  } finally {
    client.release(!isSound);
  }
}

/** Refusal of a PostgreSQL server that AeroPuente cannot use. */
class UnfitServer extends OperatorError {}

export interface ServerFacts {
  readonly version: number;
  readonly version_text: string;
  readonly standby: boolean;
  readonly fsync: string;
  readonly encoding: string;
  readonly may_create: boolean;
  readonly owner: string;
  readonly database: string;
}

const FACTS = `
  select current_setting('server_version_num')::int / 10000 as version, current_setting('server_version') as version_text,
         pg_is_in_recovery() as standby, current_setting('fsync') as fsync, current_setting('server_encoding') as encoding,
         has_database_privilege(current_database(), 'create') and has_schema_privilege('public', 'create') as may_create,
         current_user::text as owner, current_database()::text as database`;

async function requireFit(client: PoolClient): Promise<ServerFacts> {
  const { rows } = await client.query<ServerFacts>(FACTS);
  const why = unfitReason(rows[0]!);
  if (why) throw new UnfitServer(why);
  return rows[0]!;
}

export function unfitReason(server: ServerFacts): Bilingual | undefined {
  const { version, version_text: text, standby, fsync, encoding, may_create: mayCreate, owner, database } = server;
  if (version < OLDEST)
    return {
      es: `Es PostgreSQL ${text}; AeroPuente necesita ${OLDEST} o posterior.`,
      en: `It is PostgreSQL ${text}; AeroPuente needs ${OLDEST} or newer.`,
    };
  if (standby)
    return {
      es: 'Es una réplica de sólo lectura: DATABASE_URL debe apuntar al servidor principal.',
      en: 'It is a standby, which only reads: DATABASE_URL must point to the primary.',
    };
  if (fsync !== 'on')
    return {
      es: 'Tiene fsync apagado: un corte de luz perdería cotizaciones ya confirmadas. Enciéndalo.',
      en: 'Its fsync is off: a power cut would lose acknowledged quotes. Turn it on.',
    };
  if (encoding !== 'UTF8')
    return {
      es: `Su base de datos está en ${encoding}: cree una en UTF8.`,
      en: `Its database has the encoding ${encoding}: create one with UTF8.`,
    };
  if (!mayCreate)
    return {
      es: `El rol ${owner} no puede crear tablas ahí. Como administrador: alter database ${database} owner to ${owner};`,
      en: `The role ${owner} may not create tables there. As its administrator: alter database ${database} owner to ${owner};`,
    };
  return undefined;
}

async function lock(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [LOCK]);
  if (rows[0]!.mine) return;
  console.log('Another process is preparing the database: waiting for it.');
  await client.query('select pg_advisory_lock($1)', [LOCK]);
}

/**
 * Creates missing roles. A failed statement is ignored, because a process of another database on this server may be
 * creating the same roles. Throws only if a role is still missing afterwards.
 */
async function makeRoles(client: PoolClient, { owner, version }: ServerFacts): Promise<void> {
  const lacking = async () => {
    const { rows } = await client.query<{ name: string; reason: string }>(
      `select name, case when to_regrole(name) is null then 'absent'
                         when name = 'service_role' and not rolbypassrls then 'bound'
                         when not pg_has_role(current_user, name, $2) then 'foreign' end as reason
       from unnest($1::text[]) as name left join pg_roles on rolname = name
       where to_regrole(name) is null or not pg_has_role(current_user, name, $2)
          or name = 'service_role' and not rolbypassrls`,
      [[...API_ROLES], version >= 16 ? 'SET' : 'MEMBER'],
    );
    return rows;
  };
  const mayFail = (sql: string) => client.query(sql).catch(() => undefined);
  if ((await lacking()).some(({ reason }) => reason === 'absent')) await mayFail(CREATE_MISSING_ROLES);
  const foreign = (await lacking()).filter(({ reason }) => reason === 'foreign');
  for (const { name } of foreign) await mayFail(`grant ${name} to current_user`);
  const left = await lacking();
  if (left.length > 0) {
    const quoted = client.escapeIdentifier(owner);
    const statements = [
      ...left
        .filter(({ reason }) => reason === 'absent')
        .map(({ name }) => `\n  create role ${name} nologin noinherit;`),
      ...(left.some(({ name }) => name === 'service_role') ? ['\n  alter role service_role bypassrls;'] : []),
      `\n  grant ${API_ROLES.join(', ')} to ${quoted};`,
    ].join('');
    throw new UnfitServer({
      es: `El rol ${owner} no puede crear los roles que AeroPuente usa. Como administrador de PostgreSQL, una sola vez:${statements}`,
      en: `The role ${owner} may not create the roles that AeroPuente uses. As an administrator of PostgreSQL, once:${statements}`,
    });
  }
  await client.query(`grant usage on schema public to ${API_ROLES.join(', ')}`);
}

/** Creates the functions of the schema `auth`, unless the database comes from hosted Supabase and has them. */
async function makeAuthFunctions(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ missing: boolean }>(
    `select to_regprocedure('auth.jwt()') is null or to_regprocedure('auth.uid()') is null as missing`,
  );
  if (rows[0]!.missing) await client.query(readFileSync(AUTH_FUNCTIONS, 'utf8'));
}

function isPoolEmpty(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect';
}

/**
 * Converts an error for the answer to a request. An error that PostgreSQL did not send means that the database is
 * unavailable.
 */
function failureOf(error: unknown): Error {
  if (!(error instanceof DatabaseError)) {
    const isOurs = error instanceof Error && 'code' in error && /^(53300|57P03)$/.test(String(error.code));
    return isOurs ? error : databaseUnavailable();
  }
  const { message, code = 'XX000', detail, hint } = error;
  return Object.assign(databaseError(code, message), { detail, hint });
}

/** Explains why PostgreSQL cannot be used. The text does not contain user or password. */
function unreachableReason(error: unknown, { name }: PostgresAddress): Bilingual {
  const about = (es: string, en: string) => ({ es: `PostgreSQL en ${name} ${es}`, en: `PostgreSQL at ${name} ${en}` });
  const { message = '', code = '' } = error as { message?: string; code?: string };
  if (error instanceof FailedMigration) return { es: message, en: message };
  if (error instanceof UnfitServer || error instanceof OtherRelease)
    return about(`no se puede usar. ${message}`, `cannot be used. ${message}`);
  if (error instanceof DatabaseError) {
    if (code === '3D000')
      return about('no tiene esa base de datos. Créela: createdb.', 'has no such database. Create it: createdb.');
    if (code.startsWith('28'))
      return about(
        `no acepta al usuario de DATABASE_URL: ${message}.`,
        `does not accept the user of DATABASE_URL: ${message}.`,
      );
    return about(`no se puede usar: ${message}.`, `cannot be used: ${message}.`);
  }
  if (/does not support SSL/.test(message))
    return about(
      'no usa TLS. Actívelo ahí, o ponga sslmode=disable en DATABASE_URL si la red es sólo suya.',
      'does not use TLS. Turn it on there, or set sslmode=disable in DATABASE_URL on a private network.',
    );
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/.test(code))
    return about(
      `tiene un certificado que esta máquina no reconoce (${code}). Indique el archivo de su autoridad: sslrootcert=… en DATABASE_URL.`,
      `has a certificate that this machine does not trust (${code}). Name the file of its authority: sslrootcert=… in DATABASE_URL.`,
    );
  return about(`no responde (${code || message}).`, `does not answer (${code || message}).`);
}
