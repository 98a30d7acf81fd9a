import { cpSync, rmSync } from 'node:fs';
import type { Readable } from 'node:stream';
import type { PGlite } from '@electric-sql/pglite';
import type { Database } from './database.ts';
import { migrate, migrationsFolder } from './migrate.ts';
import { unpack } from './archive.ts';
import { databaseOver, openPglite, packedDatabase } from './pglite.ts';

/** What a database holds, as far as an upgrade may change it. */
export interface Contents {
  /** Names of migrations, in their order. */
  readonly migrations: readonly string[];
  readonly quotes: number;
  /** How many rows each table has. */
  readonly rows: ReadonlyMap<string, number>;
  readonly columns: ReadonlySet<string>;
}

/** What an upgrade did to a copy. */
export interface Trial {
  readonly before: Contents;
  readonly after: Contents;
  readonly steps: readonly { readonly name: string; readonly ms: number }[];
  readonly backupMs: number;
}

const OURS = `('public', 'private', 'private_auth')`;

export async function contentsOf(pglite: PGlite): Promise<Contents> {
  const asked = async <Row>(sql: string) => (await pglite.query<Row>(sql)).rows;
  const tables = await asked<{
    name: string;
  }>(`select quote_ident(table_schema) || '.' || quote_ident(table_name) as name
    from information_schema.tables where table_type = 'BASE TABLE' and table_schema in ${OURS} order by 1`);
  const rows = new Map<string, number>();
  for (const { name } of tables) {
    const [counted] = await asked<{ count: number }>(`select count(*)::int as count from ${name}`);
    rows.set(name, counted!.count);
  }
  const columns = await asked<{ name: string }>(`select table_schema || '.' || table_name || '.' || column_name as name
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_type = 'BASE TABLE' and table_schema in ${OURS}`);
  const [ledger] = await asked<{ there: boolean }>(
    `select to_regclass('supabase_migrations.schema_migrations') is not null as there`,
  );
  const done = ledger!.there
    ? await asked<{ name: string }>(
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

/** Makes `to` a copy of a database: from its folder, which nobody may have open, or from a backup. */
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

/** Upgrades a copy, and says what became of it; the copy is gone afterwards. */
export async function tryUpgrade(copy: string, migrations = migrationsFolder): Promise<Trial> {
  try {
    const pglite = await openPglite(copy);
    try {
      const before = await contentsOf(pglite);
      const began = performance.now();
      for await (const _piece of await packedDatabase(pglite, copy));
      const backupMs = performance.now() - began;
      const steps: { name: string; ms: number }[] = [];
      await migrate(timed(databaseOver(pglite), steps), migrations);
      return { before, after: await contentsOf(pglite), steps, backupMs };
    } finally {
      await pglite.close();
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Notes of each migration, which comes with its line for the ledger, how long it took. */
function timed({ transaction }: Pick<Database, 'transaction'>, steps: { name: string; ms: number }[]) {
  return {
    async transaction<Row extends object>(...asked: Parameters<Database['transaction']>) {
      const began = performance.now();
      const rows = await transaction<Row>(...asked);
      const [version, , name] = asked[0][1]?.parameters ?? [];
      if (version) steps.push({ name: `${String(version)}_${String(name)}`, ms: performance.now() - began });
      return rows;
    },
  };
}

/** What no way back brings again but the backup: what the upgrade takes from a database. */
export function* takenAway({ before, after }: Pick<Trial, 'before' | 'after'>): Generator<string> {
  for (const [table, count] of before.rows) {
    const left = after.rows.get(table);
    if (left === undefined) yield `the table ${table} goes, with ${count} rows`;
    else if (left < count) yield `${count - left} of ${count} rows of ${table} go`;
  }
  for (const column of before.columns) {
    const isOfTableThatGoes = ![...after.columns].some((each) =>
      each.startsWith(column.slice(0, column.lastIndexOf('.') + 1)),
    );
    if (!after.columns.has(column) && !isOfTableThatGoes) yield `the column ${column} goes`;
  }
}
