import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { parse, PGlite, protocol, types } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { archiveFolder, unpack } from './archive.ts';
import { englishWords, mainWords } from '../../src/content/bilingual.ts';
import { OperatorError } from '../language.ts';
import { upgradingOf } from './data-directory.ts';
import type { Database, EmbeddedDatabase, Statement, Parameter } from './database.ts';
import { moveDurably, syncTree } from './durable-files.ts';
import { DurableFolder } from './durable-folder.ts';
import { AUTH_FUNCTIONS } from './roles.ts';

const POSTGRESQL = '18';

/**
 * Start parameters: without `-F`, by which PGlite turns fsync off, and with fsync as the only sync method that works in
 * emscripten. A commit does not wait for the disk, because `sync` puts many commits on disk together.
 */
const START_PARAMETERS = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  ...['wal_sync_method=fsync', 'synchronous_commit=off', 'wal_recycle=off', 'shared_buffers=16MB'].flatMap(
    (setting) => ['-c', setting],
  ),
];

export const EXTENSIONS = { pg_trgm };

function createPglite(folder: string): Promise<PGlite> {
  return PGlite.create({
    dataDir: folder,
    fs: new DurableFolder(folder),
    startParams: START_PARAMETERS,
    extensions: EXTENSIONS,
  });
}

/** Puts all commits on disk: writes a message to the end of the log, and PostgreSQL flushes the log up to there. */
export async function sync(pglite: PGlite): Promise<void> {
  const { rows } = await pglite.query("select pg_logical_emit_message(false, '', '', true)");
  // A missing row is the only sign by which PGlite shows a panic of PostgreSQL.
  if (rows.length !== 1) throw new Error('The log of the database could not be written');
}

/**
 * Removes the traces of deleted rows from all files: rewrites tables and indexes, deletes their statistics, and drops
 * the log. Other requests wait until the end.
 */
async function forget(pglite: PGlite): Promise<void> {
  await pglite.exec('delete from pg_statistic where starelid >= 16384');
  const { rows } = await pglite.query<{ name: string }>(`select oid::regclass::text as name from pg_class
    where relkind = 'r' and (relnamespace in ('public'::regnamespace, 'private'::regnamespace) or relname = 'pg_statistic')`);
  for (const { name } of rows) await pglite.exec(`vacuum full ${name}`);
  // The first checkpoint writes the tables to disk. The second removes the log that was written before the first.
  await pglite.exec('checkpoint');
  await pglite.query('select pg_switch_wal()');
  await pglite.exec('checkpoint');
}

/**
 * Folders that exist while an upgrade is being undone: `.older` has the restored database, `.newer` the replaced one
 * (server/cli/upgrade.ts).
 */
export const olderThan = (folder: string) => `${folder}.older`;
export const newerThan = (folder: string) => `${folder}.newer`;

/**
 * Opens the database in `folder`, with the roles of a hosted project. If the database is damaged, throws without
 * changing it.
 */
export async function openPglite(folder: string): Promise<PGlite> {
  const exists = existsSync(folder);
  // A damaged database must not be opened, because PGlite would create a new database over it.
  if (exists) requireWhole(folder);
  else if (existsSync(olderThan(folder)))
    throw new OperatorError({
      es: `Se interrumpió la vuelta a una versión anterior en ${path.dirname(folder)}. Termínela: aeropuente upgrade back`,
      en: `The way back from an upgrade was interrupted in ${path.dirname(folder)}. Complete it: aeropuente upgrade back`,
    });
  // An interrupted first start, restore or undone upgrade may have left these folders. This process has the lock, so no
  // other process uses them.
  for (const left of [`${folder}.new`, newerThan(folder), olderThan(folder), `${olderThan(folder)}.new`])
    rmSync(left, { recursive: true, force: true });
  // The operator may have copied the folder to this place, and a copy may not be on disk yet.
  if (exists) syncTree(folder);
  if (!exists) await createAtomically(folder, async (unfinished) => initialise(await createPglite(unfinished)));
  try {
    const pglite = await createPglite(folder);
    await pglite.exec(readFileSync(AUTH_FUNCTIONS, 'utf8'));
    return pglite;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new OperatorError(
      {
        es: `La base de datos en ${folder} no abre (${why}). ${mainWords(RESTORE)}`,
        en: `The database in ${folder} does not open (${why}). ${englishWords(RESTORE)}`,
      },
      { cause: error },
    );
  }
}

const RESTORE = {
  es: 'No se cambió nada. Mueva la carpeta a otro lugar y recupere un respaldo con "aeropuente restore", o pida ayuda antes de hacer otra cosa.',
  en: 'Nothing was changed. Move the folder away and restore a backup with "aeropuente restore", or ask for help before anything else.',
};

/** Makes a database in a folder with a temporary name, and renames the folder when everything is on disk. */
export async function createAtomically(folder: string, make: (unfinished: string) => Promise<void>): Promise<void> {
  const unfinished = `${folder}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  await make(unfinished);
  syncTree(unfinished);
  rmSync(upgradingOf(folder), { force: true });
  moveDurably(unfinished, folder);
}

async function initialise(fresh: PGlite): Promise<void> {
  await fresh.exec(readFileSync(new URL('roles.sql', import.meta.url), 'utf8'));
  await fresh.close();
}

const missingIn = (folder: string) =>
  ['PG_VERSION', 'global/pg_control', 'postgresql.conf'].find((file) => !existsSync(path.join(folder, file)));

function requireWhole(folder: string): void {
  const missing = missingIn(folder);
  if (missing)
    throw new OperatorError({
      es: `La base de datos en ${folder} está dañada: le falta el archivo ${missing}. ${mainWords(RESTORE)}`,
      en: `The database in ${folder} is damaged: its file ${missing} is missing. ${englishWords(RESTORE)}`,
    });
  const version = readFileSync(path.join(folder, 'PG_VERSION'), 'utf8').trim();
  if (version !== POSTGRESQL)
    throw new OperatorError({
      es: `La base de datos en ${folder} es de PostgreSQL "${version}"; esta versión lee ${POSTGRESQL}.`,
      en: `The database in ${folder} is of PostgreSQL "${version}"; this release reads ${POSTGRESQL}.`,
    });
}

export const databaseOn = (pglite: PGlite): Pick<EmbeddedDatabase, 'transaction' | 'forget'> => ({
  transaction: async <Row extends object>(
    ...[statements, { access = 'write' } = {}]: Parameters<Database['transaction']>
  ) => (await carryOut(pglite, statements, access)) as Row[],
  forget: () => forget(pglite),
});

export async function archiveOfDatabase(pglite: PGlite, folder: string): Promise<Readable> {
  await pglite.exec('checkpoint');
  return archiveFolder(folder);
}

/** Unpacks and opens an archived database, without running migrations. */
export async function openArchive(archive: Readable, folder: string, bytes?: number): Promise<PGlite> {
  await unpack(archive, folder, bytes);
  const missing = missingIn(folder);
  if (missing) throw new OperatorError({ es: `le falta ${missing}`, en: `it has no ${missing}` });
  return createPglite(folder);
}

const { serialize } = protocol;

/**
 * Sends all statements of a transaction to PGlite in one message, because each message takes as long as a small
 * statement.
 */
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
          // A script may change tables that prepared statements use, so these are prepared again.
          known.clear();
          return [serialize.query(sql)];
        }
        const [statement, plan] = access === 'read' ? ['', [serialize.parse({ text: sql })]] : planned(known, sql);
        const bound = serialize.bind({ statement, values: parameters.map(asText) });
        return [...plan, bound, serialize.describe({ type: 'P' }), serialize.execute(), serialize.sync()];
      }),
      // After a failed statement COMMIT rolls back, and the first error is thrown.
      serialize.query('commit'),
    ]);
    try {
      const { messages } = await pglite.execProtocol(message, { syncToFs: false });
      const results = parse.parseResults(messages, pglite.parsers);
      const least = statements.filter(({ parameters }) => parameters).length + 2;
      // A missing result is the only sign by which PGlite shows a panic of PostgreSQL.
      if (results.length < least || results.at(-1)?.command !== 'COMMIT')
        throw new Error('The database did not complete the transaction');
      return results.at(-2)!.rows;
    } catch (error) {
      // After a failure, `known` may list statements that PGlite has not prepared.
      known.clear();
      throw error;
    }
  });
}

/** Names of prepared statements by their SQL. Only writes are prepared, because there are only a few different ones. */
const plans = new WeakMap<PGlite, Map<string, string>>();
const MOST_PLANS = 30;

function planned(known: Map<string, string>, sql: string): [name: string, unlessThere: Uint8Array[]] {
  const there = known.get(sql);
  if (there) return [there, []];
  if (known.size === MOST_PLANS) known.clear();
  const name = `w${known.size}`;
  known.set(sql, name);
  // PGlite may still have a prepared statement of this name: `known.clear()` does not close it.
  return [name, [serialize.close({ type: 'S', name }), serialize.parse({ name, text: sql })]];
}

function asText(value: Parameter): string | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? types.arraySerializer(value, undefined, 0) : value.toString();
}
