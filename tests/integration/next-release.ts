import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { migrationsFolder } from '../../server/database/migrate.ts';
import { INCOTERMS } from '../../src/lead/details.ts';
import { madeOnce } from '../run-folder.ts';

/** Migrations of an invented next release: a new column, a newly allowed value in shipment details, a new table. */
export const NEXT = {
  '29980101000000_next_column.sql': `
    alter table public.quotes add column nueva text constraint quotes_nueva_check check (nueva in ('una', 'otra'));
    grant insert (nueva) on public.quotes to anon, authenticated;
    alter table public.quote_details drop constraint quote_details_incoterm_check,
      add constraint quote_details_incoterm_check check (incoterm in ('${[...INCOTERMS, 'XYZ'].join("', '")}'));`,
  '29980101000100_next_table.sql': `
    create table public.next_words (id uuid primary key, word text not null);
    alter table public.next_words enable row level security;
    create policy next_words_insert on public.next_words for insert to anon with check (true);
    create policy next_words_select on public.next_words for select to anon using (true);
    grant select, insert on public.next_words to anon;`,
};

export const NEWEST = Object.keys(NEXT).at(-1)!.replace('.sql', '');

/** Columns and tables added by an invented next release, in the format of src/lead/schema-version.ts. */
export const ADDITIONS = [
  ['quotes.nueva', '29980101000000'],
  ['quote_details.incoterm=XYZ', '29980101000000'],
  ['next_words', '29980101000100'],
] as const;

export function addNextMigrations(folder: string): void {
  for (const [name, sql] of Object.entries(NEXT)) writeFileSync(path.join(folder, name), sql);
}

/** Returns a folder with the migrations of the next release. */
export const nextMigrations = () =>
  madeOnce('next-migrations', async (folder) => {
    cpSync(migrationsFolder, folder, { recursive: true });
    addNextMigrations(folder);
  });

/** Returns the folder of the next release: these sources with the next release’s migrations. */
export const nextRelease = () =>
  madeOnce('next-release', async (folder) => {
    mkdirSync(folder, { recursive: true });
    for (const name of ['server', 'src', 'build', 'supabase', 'package.json'])
      cpSync(name, path.join(folder, name), { recursive: true });
    symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'));
    addNextMigrations(path.join(folder, 'supabase/migrations'));
  });
