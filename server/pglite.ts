import { existsSync, readFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import type { Statement } from './database.ts';

const POSTGRESQL = '18';
const AUTH_FUNCTIONS = new URL('auth-functions.sql', import.meta.url);

/** PostgreSQL kept in `folder`, with the roles a hosted project has. Throws a sentence, and touches nothing, where it cannot be. */
export async function openPglite(folder: string): Promise<PGlite> {
  const exists = existsSync(folder);
  // Else PGlite would begin a new database over what is left of this one.
  if (exists) requireWhole(folder);
  if (!exists) await makeWhole(folder, async (unfinished) => initialise(await PGlite.create(unfinished)));
  try {
    const pglite = await PGlite.create(folder);
    await pglite.exec(readFileSync(AUTH_FUNCTIONS, 'utf8'));
    return pglite;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`The database in ${folder} does not open (${why}). ${RESTORE}`, { cause: error });
  }
}

const RESTORE =
  'Nothing of it was changed. Move the folder away and bring back a backup with "npm run restore", or ask for help before anything else.';

/** Made beside its place and moved there whole: one that is killed half-way leaves nothing to trip over. */
export async function makeWhole(folder: string, make: (unfinished: string) => Promise<void>): Promise<void> {
  const unfinished = `${folder}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await make(unfinished);
  await rename(unfinished, folder);
}

async function initialise(fresh: PGlite): Promise<void> {
  await fresh.exec(readFileSync(new URL('roles.sql', import.meta.url), 'utf8'));
  await fresh.close();
}

function requireWhole(folder: string): void {
  for (const file of ['PG_VERSION', 'global/pg_control', 'postgresql.conf']) {
    if (!existsSync(path.join(folder, file)))
      throw new Error(`The database in ${folder} is damaged: its file ${file} is missing. ${RESTORE}`);
  }
  const version = readFileSync(path.join(folder, 'PG_VERSION'), 'utf8').trim();
  if (version !== POSTGRESQL)
    throw new Error(`The database in ${folder} is of PostgreSQL "${version}"; this release reads ${POSTGRESQL}.`);
}

export async function carryOut(
  pglite: PGlite,
  statements: readonly Statement[],
  access: 'read' | 'write',
): Promise<object[]> {
  return pglite.transaction(async (transaction) => {
    if (access === 'read') await transaction.exec('set transaction read only');
    let rows: object[] = [];
    for (const { sql, parameters } of statements) {
      if (parameters) rows = (await transaction.query<object>(sql, [...parameters])).rows;
      else await transaction.exec(sql);
    }
    return rows;
  });
}
