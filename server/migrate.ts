import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import type { Database } from './database.ts';

const MIGRATION = /^(?<version>\d{14})_(?<name>\w+)\.sql$/;

// The Supabase CLI's own ledger, so that either may carry on where the other stopped.
const LEDGER = `
  create schema if not exists supabase_migrations;
  create table if not exists supabase_migrations.schema_migrations
    (version text not null primary key, statements text[], name text);`;

export const migrationsFolder = fileURLToPath(new URL('../supabase/migrations', import.meta.url));

/** Brings the database up to date, each migration whole or not at all. */
export async function migrate(database: Database, folder = migrationsFolder): Promise<void> {
  await database.transaction((session) => session.run(LEDGER));
  for (const file of (await readdir(folder)).toSorted()) {
    const { version, name } = MIGRATION.exec(file)?.groups ?? {};
    if (!version) continue;
    const script = await readFile(path.join(folder, file), 'utf8');
    try {
      await database.transaction(async (session) => {
        const done = await session.query('select from supabase_migrations.schema_migrations where version = $1', [
          version,
        ]);
        if (done.length > 0) return;
        await session.run(script);
        await session.query(
          'insert into supabase_migrations.schema_migrations (version, statements, name) values ($1, $2, $3)',
          [version, [script], name],
        );
      });
    } catch (error) {
      throw new Error(`The migration ${file} failed, and nothing of it was kept: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
}
