import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import type { Database } from './database.ts';

/** Data of a release that this one does not read. They may be whole: this release cannot tell. */
export class OtherRelease extends Error {}

const BEFORE_BASELINE =
  'The data are of a release before 1.0, which this one does not read. Nothing of them was changed: start with an empty DATA_DIR or database.';
const NEWER =
  'The data are of a newer release than this one, which does not know what was done to them. Start that one; "aeropuente upgrade --help" in its folder says how to go back.';
const MIGRATION = /^(?<version>\d{14})_(?<name>\w+)\.sql$/;

// The Supabase CLI's own ledger, so that either may carry on where the other stopped.
const LEDGER = `
  create schema if not exists supabase_migrations;
  create table if not exists supabase_migrations.schema_migrations
    (version text not null primary key, statements text[], name text);`;

export const migrationsFolder = fileURLToPath(new URL('../../supabase/migrations', import.meta.url));

/**
 * Brings the database up to date, each migration whole or not at all. Nobody else may do so meanwhile. `beforehand` is
 * called where there is something to lose: a database of an earlier release. Data of a newer release, or of one before the
 * first migration here, are refused.
 */
export async function migrate(
  database: Pick<Database, 'transaction'>,
  folder = migrationsFolder,
  beforehand: () => Promise<void> = async () => undefined,
): Promise<void> {
  await database.transaction([{ sql: LEDGER }]);
  const done = await database.transaction<{ version: string }>([
    { sql: 'select version from supabase_migrations.schema_migrations', parameters: [] },
  ]);
  const known = (await readdir(folder)).toSorted().flatMap((file) => {
    const { version, name } = MIGRATION.exec(file)?.groups ?? {};
    return version ? [{ file, version, name }] : [];
  });
  const versions = new Set(done.map(({ version }) => version));
  const files = known.filter(({ version }) => !versions.delete(version));
  // The rest is of no migration here.
  const others = [...versions];
  if (others.some((version) => version < known[0]!.version)) throw new OtherRelease(BEFORE_BASELINE);
  if (others.some((version) => version > known.at(-1)!.version)) throw new OtherRelease(NEWER);
  if (files.length > 0 && done.length > 0) await beforehand();
  for (const { file, version, name } of files) {
    const script = await readFile(path.join(folder, file), 'utf8');
    const note = 'insert into supabase_migrations.schema_migrations (version, statements, name) values ($1, $2, $3)';
    try {
      await database.transaction([{ sql: script }, { sql: note, parameters: [version, [script], name] }]);
    } catch (error) {
      throw new Error(`The migration ${file} failed, and nothing of it was kept: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
}
