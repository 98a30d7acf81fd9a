import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { parse, PGlite, protocol, types } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { packed, unpack } from './archive.ts';
import { upgradingOf } from './data-directory.ts';
import type { Database, EmbeddedDatabase, Statement, Parameter } from './database.ts';
import { moveWhole, syncTree } from './durable-files.ts';
import { DurableFolder } from './durable-folder.ts';
import { AUTH_FUNCTIONS } from './roles.ts';

const POSTGRESQL = '18';

/**
 * PGlite's own start has `-F`, which is fsync off; and of the ways to sync its log only `fsync` calls anything, of the
 * others emscripten has stubs. A transaction does not wait for the disk by itself: `sync` does, for many at once.
 */
const START = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  ...['wal_sync_method=fsync', 'synchronous_commit=off', 'wal_recycle=off', 'shared_buffers=16MB'].flatMap(
    (setting) => ['-c', setting],
  ),
];

/** What the migrations ask for with 'create extension'. */
export const EXTENSIONS = { pg_trgm };

/** PGlite over a folder on disk, which it makes a database where it is none. */
function createPglite(folder: string): Promise<PGlite> {
  return PGlite.create({
    dataDir: folder,
    fs: new DurableFolder(folder),
    startParams: START,
    extensions: EXTENSIONS,
  });
}

/** All that was committed is on disk when this resolves: a message to nobody, at the end of the log, and flushed. */
export async function sync(pglite: PGlite): Promise<void> {
  const { rows } = await pglite.query("select pg_logical_emit_message(false, '', '', true)");
  // PGlite says nothing of a panic but that there is no row.
  if (rows.length !== 1) throw new Error('The log of the database could not be written');
}

/**
 * Nothing of what was deleted stays in any file: tables and their indexes are written anew, what is known of their
 * values goes, and the log that spoke of them is let go. Meanwhile nobody is answered.
 */
async function forget(pglite: PGlite): Promise<void> {
  await pglite.exec('delete from pg_statistic where starelid >= 16384');
  const { rows } = await pglite.query<{ name: string }>(`select oid::regclass::text as name from pg_class
    where relkind = 'r' and (relnamespace in ('public'::regnamespace, 'private'::regnamespace) or relname = 'pg_statistic')`);
  for (const { name } of rows) await pglite.exec(`vacuum full ${name}`);
  // The first writes the tables, the second lets go of the log before it.
  await pglite.exec('checkpoint');
  await pglite.query('select pg_switch_wal()');
  await pglite.exec('checkpoint');
}

/** Where a way back puts what it leads to, and then what it led away from (server/cli/upgrade.ts). */
export const olderThan = (folder: string) => `${folder}.older`;
export const newerThan = (folder: string) => `${folder}.newer`;

/** PostgreSQL kept in `folder`, with the roles a hosted project has. Throws a sentence, and touches nothing, where it cannot be. */
export async function openPglite(folder: string): Promise<PGlite> {
  const exists = existsSync(folder);
  // Else PGlite would begin a new database over what is left of this one.
  if (exists) requireWhole(folder);
  else if (existsSync(olderThan(folder)))
    throw new Error(`A way back from an upgrade was interrupted in ${path.dirname(folder)}: aeropuente upgrade back`);
  // Leftovers of a start, a restore or a way back that ended half-way: who opens the database holds its directory, as each
  // of them does for as long as it lasts.
  for (const left of [`${folder}.new`, newerThan(folder), olderThan(folder), `${olderThan(folder)}.new`])
    rmSync(left, { recursive: true, force: true });
  // A folder that somebody copied here may not be on disk yet.
  if (exists) syncTree(folder);
  if (!exists) await makeWhole(folder, async (unfinished) => initialise(await createPglite(unfinished)));
  try {
    const pglite = await createPglite(folder);
    await pglite.exec(readFileSync(AUTH_FUNCTIONS, 'utf8'));
    return pglite;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`The database in ${folder} does not open (${why}). ${RESTORE}`, { cause: error });
  }
}

const RESTORE =
  'Nothing of it was changed. Move the folder away and bring back a backup with "aeropuente restore", or ask for help before anything else.';

/** Made beside its place, and moved there once all of it is on disk: one that ends half-way leaves nothing to trip over. */
export async function makeWhole(folder: string, make: (unfinished: string) => Promise<void>): Promise<void> {
  const unfinished = `${folder}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  await make(unfinished);
  syncTree(unfinished);
  rmSync(upgradingOf(folder), { force: true });
  moveWhole(unfinished, folder);
}

async function initialise(fresh: PGlite): Promise<void> {
  await fresh.exec(readFileSync(new URL('roles.sql', import.meta.url), 'utf8'));
  await fresh.close();
}

const missingIn = (folder: string) =>
  ['PG_VERSION', 'global/pg_control', 'postgresql.conf'].find((file) => !existsSync(path.join(folder, file)));

function requireWhole(folder: string): void {
  const missing = missingIn(folder);
  if (missing) throw new Error(`The database in ${folder} is damaged: its file ${missing} is missing. ${RESTORE}`);
  const version = readFileSync(path.join(folder, 'PG_VERSION'), 'utf8').trim();
  if (version !== POSTGRESQL)
    throw new Error(`The database in ${folder} is of PostgreSQL "${version}"; this release reads ${POSTGRESQL}.`);
}

/** As the rest of the server knows a database. */
export const databaseOver = (pglite: PGlite): Pick<EmbeddedDatabase, 'transaction' | 'forget'> => ({
  transaction: async <Row extends object>(
    ...[statements, { access = 'write' } = {}]: Parameters<Database['transaction']>
  ) => (await carryOut(pglite, statements, access)) as Row[],
  forget: () => forget(pglite),
});

/** All of an open database as one archive. Nothing else may be asked of the database until its end. */
export async function packedDatabase(pglite: PGlite, folder: string): Promise<Readable> {
  await pglite.exec('checkpoint');
  return packed(folder);
}

/** The database of an archive, open and as it was: nothing of a newer release is done to it. */
export async function unpacked(archive: Readable, folder: string, bytes?: number): Promise<PGlite> {
  await unpack(archive, folder, bytes);
  const missing = missingIn(folder);
  if (missing) throw new Error(`it has no ${missing}`);
  return createPglite(folder);
}

const { serialize } = protocol;

/** In one message: each that PGlite takes by itself costs as much as a small statement. */
export function carryOut(
  pglite: PGlite,
  statements: readonly Statement[],
  access: 'read' | 'write',
): Promise<object[]> {
  return pglite.runExclusive(async () => {
    const known = plans.get(pglite) ?? new Map<string, string>();
    plans.set(pglite, known);
    const message = Buffer.concat([
      serialize.query(access === 'read' ? 'begin read only' : 'begin'),
      ...statements.flatMap(({ sql, parameters }) => {
        if (!parameters) {
          // A script may change what they were made for.
          known.clear();
          return [serialize.query(sql)];
        }
        const [statement, plan] = access === 'read' ? ['', [serialize.parse({ text: sql })]] : planned(known, sql);
        const bound = serialize.bind({ statement, values: parameters.map(asText) });
        return [...plan, bound, serialize.describe({ type: 'P' }), serialize.execute(), serialize.sync()];
      }),
      // Which is a rollback where one of them has failed; of the failures the first is thrown.
      serialize.query('commit'),
    ]);
    try {
      const { messages } = await pglite.execProtocol(message, { syncToFs: false });
      const results = parse.parseResults(messages, pglite.parsers);
      const least = statements.filter(({ parameters }) => parameters).length + 2;
      // PGlite says nothing of a statement that ended in a panic or a trap but that its word is missing.
      if (results.length < least || results.at(-1)?.command !== 'COMMIT')
        throw new Error('The database did not carry out what was asked');
      return results.at(-2)!.rows;
    } catch (error) {
      // It may have failed before its plans were made.
      known.clear();
      throw error;
    }
  });
}

/** Of writes there are few kinds: each is read and planned once, and known by a name. */
const plans = new WeakMap<PGlite, Map<string, string>>();
const MOST_PLANS = 30;

function planned(known: Map<string, string>, sql: string): [name: string, unlessThere: Uint8Array[]] {
  const there = known.get(sql);
  if (there) return [there, []];
  if (known.size === MOST_PLANS) known.clear();
  const name = `w${known.size}`;
  known.set(sql, name);
  // A name that was let go is still there.
  return [name, [serialize.close({ type: 'S', name }), serialize.parse({ name, text: sql })]];
}

function asText(value: Parameter): string | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? types.arraySerializer(value, undefined, 0) : value.toString();
}
