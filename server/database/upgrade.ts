import { cpSync, rmSync } from 'node:fs';
import type { Bilingual } from '../../src/content/bilingual.ts';
import type { Readable } from 'node:stream';
import type { PGlite } from '@electric-sql/pglite';
import type { Database } from './database.ts';
import { migrate, migrationsFolder } from './migrate.ts';
import { unpack } from './archive.ts';
import { databaseOn, openPglite, archiveOfDatabase } from './pglite.ts';

/** Summary of a database's contents, by which the data before and after an upgrade are compared. */
export interface Contents {
  readonly migrations: readonly string[];
  readonly quotes: number;
  readonly rows: ReadonlyMap<string, number>;
  readonly columns: ReadonlySet<string>;
}

export interface Trial {
  readonly original: Contents;
  readonly after: Contents;
  readonly steps: readonly { readonly name: string; readonly ms: number }[];
  readonly backupMs: number;
}

const OURS = `('public', 'private', 'private_auth')`;

export async function contentsOf(pglite: PGlite): Promise<Contents> {
  const query = async <Row>(sql: string) => (await pglite.query<Row>(sql)).rows;
  const tables = await query<{
    name: string;
  }>(`select quote_ident(table_schema) || '.' || quote_ident(table_name) as name
    from information_schema.tables where table_type = 'BASE TABLE' and table_schema in ${OURS} order by 1`);
  const rows = new Map<string, number>();
  for (const { name } of tables) {
    const [counted] = await query<{ count: number }>(`select count(*)::int as count from ${name}`);
    rows.set(name, counted!.count);
  }
  const columns = await query<{ name: string }>(`select table_schema || '.' || table_name || '.' || column_name as name
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_type = 'BASE TABLE' and table_schema in ${OURS}`);
  const [ledger] = await query<{ there: boolean }>(
    `select to_regclass('supabase_migrations.schema_migrations') is not null as there`,
  );
  const done = ledger!.there
    ? await query<{ name: string }>(
        `select version || '_' || coalesce(name, '') as name from supabase_migrations.schema_migrations order by version`,
      )
    : [];
  return {
    migrations: done.map(({ name }) => name),
    quotes: rows.get('public.quotes') ?? 0,
    rows,
    columns: new Set(columns.map(({ name }) => name)),
  };
}

/** Copies a database into the folder `to`. `from`: an archive, or the folder of a database that no process has open. */
export async function copyDatabase(from: string | Readable, to: string): Promise<void> {
  rmSync(to, { recursive: true, force: true });
  try {
    if (typeof from === 'string') cpSync(from, to, { recursive: true });
    else await unpack(from, to);
  } catch (error) {
    rmSync(to, { recursive: true, force: true });
    throw error;
  }
}

/** Upgrades a copy of a database, compares the data before and after, and deletes the copy. */
export async function tryUpgrade(copy: string, migrations = migrationsFolder): Promise<Trial> {
  try {
    const pglite = await openPglite(copy);
    try {
      const original = await contentsOf(pglite);
      const began = performance.now();
      for await (const _piece of await archiveOfDatabase(pglite, copy));
      const backupMs = performance.now() - began;
      const steps: { name: string; ms: number }[] = [];
      await migrate(timed(databaseOn(pglite), steps), migrations);
      return { original, after: await contentsOf(pglite), steps, backupMs };
    } finally {
      await pglite.close();
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/**
 * Measures how long each migration takes. Recognizes a migration by its second statement, which stores the migration's
 * version and name.
 */
function timed({ transaction }: Pick<Database, 'transaction'>, steps: { name: string; ms: number }[]) {
  return {
    async transaction<Row extends object>(...call: Parameters<Database['transaction']>) {
      const began = performance.now();
      const rows = await transaction<Row>(...call);
      const [version, , name] = call[0][1]?.parameters ?? [];
      if (version) steps.push({ name: `${String(version)}_${String(name)}`, ms: performance.now() - began });
      return rows;
    },
  };
}

/** Names the tables, rows and columns that an upgrade removes. Only the backup can bring them back. */
export function* lossesOf({ original, after }: Pick<Trial, 'original' | 'after'>): Generator<Bilingual> {
  for (const [table, count] of original.rows) {
    const left = after.rows.get(table);
    if (left === undefined)
      yield {
        es: `se elimina la tabla ${table}, con ${count} registros`,
        en: `the table ${table} is removed, with ${count} rows`,
      };
    else if (left < count)
      yield {
        es: `se eliminan ${count - left} de ${count} registros de ${table}`,
        en: `${count - left} of ${count} rows of ${table} are removed`,
      };
  }
  for (const column of original.columns) {
    const isTableRemoved = ![...after.columns].some((each) =>
      each.startsWith(column.slice(0, column.lastIndexOf('.') + 1)),
    );
    if (!after.columns.has(column) && !isTableRemoved)
      yield { es: `se elimina la columna ${column}`, en: `the column ${column} is removed` };
  }
}
