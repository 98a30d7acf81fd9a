import { readFileSync } from 'node:fs';
import { DatabaseError, Pool, type PoolClient } from 'pg';
import type { PostgresAddress } from './address.ts';
import { USUAL, type Database, type How, type Statement } from './database.ts';
import { migrate, OtherRelease } from './migrate.ts';
import { API_ROLES, AUTH_FUNCTIONS, CREATE_MISSING_ROLES } from './roles.ts';
import { databaseError, databaseUnavailable } from './watched-thread.ts';

interface PostgresData {
  readonly address: PostgresAddress;
  /** Of this process at the most. */
  readonly connections: number;
  readonly migrations: string;
  /** A command beside running servers changes nothing of the schema that they have. */
  readonly mayMigrate: boolean;
  readonly afterwards: readonly Statement[];
}

const OLDEST = 15;
const WAIT_FOR_CONNECTION = 5000;
/** So much longer than a statement may take until its connection is given up: its server may have gone without a word. */
const GRACE = 5000;
/** Of all that run on one database, one brings it up to date. The number is ours, and means nothing. */
const LOCK = 7_360_214_589_315_011;

/**
 * A PostgreSQL server of one's own. What it acknowledges is on its disk: each write asks for that itself, whatever the
 * database or the role has set. Several processes may have it open.
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
  // A connection that ends is told to whoever asks by it, or next; what it says of its own accord is nobody's.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  let isReached = true;

  async function take(): Promise<PoolClient> {
    try {
      const client = await pool.connect();
      if (!isReached) console.log(`PostgreSQL at ${address.name} answers again.`);
      isReached = true;
      return client;
    } catch (error) {
      if (isPoolEmpty(error)) throw databaseError('53300', 'All connections to the database are taken');
      // Said once: every request that comes now would.
      if (isReached) console.error(unreachableReason(error, address));
      isReached = false;
      throw failureOf(error);
    }
  }

  try {
    await prepare(pool, data);
  } catch (error) {
    await pool.end();
    throw new Error(unreachableReason(error, address), { cause: error });
  }
  return {
    // One is left for those who do not wait in the queue of requests.
    atOnce: Math.max(1, connections - 1),
    async transaction<Row extends object>(
      statements: readonly Statement[],
      { access = 'write', within = USUAL }: How = {},
    ): Promise<Row[]> {
      const client = await take();
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(databaseUnavailable()), within + GRACE);
      });
      const work = carryOut<Row>(client, statements, beginning(access, within));
      try {
        const rows = await Promise.race([work, late]);
        client.release();
        return rows;
      } catch (error) {
        const isSound = error instanceof DatabaseError && (await isUndone(client));
        client.release(!isSound);
        // Else what it throws once its connection is gone would be nobody's.
        await work.catch(() => undefined);
        throw failureOf(error);
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => pool.end(),
  };
}

function encryption({ mode, authority }: PostgresAddress) {
  if (mode === 'disable') return false;
  return {
    rejectUnauthorized: mode === 'verify-full',
    ...(authority && { ca: readFileSync(authority, 'utf8') }),
  };
}

/** All that a transaction needs to know, in one message. Nobody's own settings decide whether it is kept. */
function beginning(access: 'read' | 'write', within: number): string {
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

/** Roles, functions and schema, by one process after the other. */
async function prepare(pool: Pool, { migrations, mayMigrate, afterwards }: PostgresData): Promise<void> {
  const client = await pool.connect();
  let isSound = false;
  try {
    const server = await requireFit(client);
    await lock(client);
    // A migration of many rows takes as long as it takes.
    const unbounded: Pick<Database, 'transaction'> = {
      transaction: async <Row extends object>(statements: readonly Statement[]) => {
        try {
          return await carryOut<Row>(client, statements, beginning('write', 0));
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
        throw new Unfit('The database is of an earlier release. Start AeroPuente of this one first ("npm start").');
      console.log('The database is brought up to date.');
    });
    if (afterwards.length > 0) await unbounded.transaction(afterwards);
    await client.query('select pg_advisory_unlock($1)', [LOCK]);
    isSound = true;
  } finally {
    client.release(!isSound);
  }
}

/** A sentence for whoever set DATABASE_URL. */
class Unfit extends Error {}

/** What has to be known of a server before anything is kept there. */
export interface ServerFacts {
  readonly version: number;
  readonly said: string;
  readonly standby: boolean;
  readonly fsync: string;
  readonly encoding: string;
  readonly may_create: boolean;
  readonly owner: string;
  readonly database: string;
}

const FACTS = `
  select current_setting('server_version_num')::int / 10000 as version, current_setting('server_version') as said,
         pg_is_in_recovery() as standby, current_setting('fsync') as fsync, current_setting('server_encoding') as encoding,
         has_database_privilege(current_database(), 'create') and has_schema_privilege('public', 'create') as may_create,
         current_user::text as owner, current_database()::text as database`;

async function requireFit(client: PoolClient): Promise<ServerFacts> {
  const { rows } = await client.query<ServerFacts>(FACTS);
  const why = unfitReason(rows[0]!);
  if (why) throw new Unfit(why);
  return rows[0]!;
}

export function unfitReason(server: ServerFacts): string | undefined {
  const { version, said, standby, fsync, encoding, may_create: mayCreate, owner, database } = server;
  if (version < OLDEST) return `It is PostgreSQL ${said}; AeroPuente needs ${OLDEST} or a newer one.`;
  if (standby) return 'It is a standby, which only reads: DATABASE_URL must lead to the primary.';
  if (fsync !== 'on') return 'Its fsync is off: a power cut would lose quotes that were acknowledged. Turn it on.';
  if (encoding !== 'UTF8') return `Its database is in ${encoding}: make one in UTF8.`;
  if (!mayCreate)
    return `The role ${owner} may not make tables there. As its administrator: alter database ${database} owner to ${owner};`;
  return undefined;
}

async function lock(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [LOCK]);
  if (rows[0]!.mine) return;
  console.log('Another process is preparing the database: waiting for it.');
  await client.query('select pg_advisory_lock($1)', [LOCK]);
}

/** They are the whole server's, so that a process of another database may be making them at this moment. */
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
    throw new Unfit(
      [
        `The role ${owner} may not make the roles that AeroPuente works with. As an administrator of PostgreSQL, once:`,
        ...left
          .filter(({ reason }) => reason === 'absent')
          .map(({ name }) => `  create role ${name} nologin noinherit;`),
        ...(left.some(({ name }) => name === 'service_role') ? ['  alter role service_role bypassrls;'] : []),
        `  grant ${API_ROLES.join(', ')} to ${quoted};`,
      ].join('\n'),
    );
  }
  await client.query(`grant usage on schema public to ${API_ROLES.join(', ')}`);
}

/** A database that was one of hosted Supabase has them, and they are not ours to change. */
async function makeAuthFunctions(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ missing: boolean }>(
    `select to_regprocedure('auth.jwt()') is null or to_regprocedure('auth.uid()') is null as missing`,
  );
  if (rows[0]!.missing) await client.query(readFileSync(AUTH_FUNCTIONS, 'utf8'));
}

function isPoolEmpty(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect';
}

/** For the answer to a request: whatever is no word of PostgreSQL's is that it is not there. */
function failureOf(error: unknown): Error {
  if (!(error instanceof DatabaseError)) {
    const isOurs = error instanceof Error && 'code' in error && /^(53300|57P03)$/.test(String(error.code));
    return isOurs ? error : databaseUnavailable();
  }
  const { message, code = 'XX000', detail, hint } = error;
  return Object.assign(databaseError(code, message), { detail, hint });
}

/** Without user and password, which are in the address. */
function unreachableReason(error: unknown, { name }: PostgresAddress): string {
  const at = `PostgreSQL at ${name}`;
  if (error instanceof Unfit || error instanceof OtherRelease) return `${at} cannot be used. ${error.message}`;
  const { message = '', code = '' } = error as { message?: string; code?: string };
  if (error instanceof DatabaseError) {
    if (code === '3D000') return `${at} has no such database. Make it: createdb.`;
    if (code.startsWith('28')) return `${at} does not let in the user of DATABASE_URL: ${message}.`;
    return `${at} cannot be used: ${message}.`;
  }
  if (/does not support SSL/.test(message))
    return `${at} speaks no TLS. Turn it on there, or say sslmode=disable in DATABASE_URL where the way is nobody else’s.`;
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/.test(code))
    return `${at} has a certificate that nobody here vouches for (${code}). Name the file of its authority: sslrootcert=… in DATABASE_URL.`;
  if (message.startsWith('The migration')) return message;
  return `${at} is not reached (${code || message}).`;
}
