import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { OperatorError } from '../language.ts';
import type { Database } from './database.ts';

/** Refusal of data that another release wrote and that this release cannot read. */
export class OtherRelease extends OperatorError {}

export class FailedMigration extends OperatorError {}

const BEFORE_BASELINE = {
  es: 'Los datos son de una versión anterior a la 1.0, que ésta no lee. No se cambió nada: empiece con una DATA_DIR o una base de datos vacía.',
  en: 'The data are of a release before 1.0, which this one cannot read. Nothing was changed: start with an empty DATA_DIR or database.',
};
const NEWER = {
  es: 'Los datos son de una versión más nueva que ésta. Arranque aquélla; "aeropuente upgrade --help" en su carpeta dice cómo volver.',
  en: 'The data are of a newer release than this one. Start that release; "aeropuente upgrade --help" in its folder says how to go back.',
};
const MIGRATION = /^(?<version>\d{14})_(?<name>\w+)\.sql$/;

// Table of applied migrations, the same as the Supabase CLI's, so that both can migrate a database.
const LEDGER = `
  create schema if not exists supabase_migrations;
  create table if not exists supabase_migrations.schema_migrations
    (version text not null primary key, statements text[], name text);`;

export const migrationsFolder = fileURLToPath(new URL('../../supabase/migrations', import.meta.url));

/**
 * Runs the missing migrations, each in a transaction. The caller makes sure that no other process uses the database.
 * Before the first of them, `beforehand` runs if the database has data. Throws if the data are of a newer release, or
 * older than the first migration.
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
  // `delete` above has removed the known versions, so the remaining ones are unknown to this release.
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
      const { message } = error as Error;
      throw new FailedMigration(
        {
          es: `La migración ${file} falló y se revirtió: ${message}`,
          en: `The migration ${file} failed and was rolled back: ${message}`,
        },
        { cause: error },
      );
    }
  }
}
