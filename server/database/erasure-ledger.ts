import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { EmbeddedDatabase, Statement } from './database.ts';
import { writeWhole } from './durable-files.ts';

export type Erasing = Pick<EmbeddedDatabase, 'transaction' | 'forget'>;

const LEDGER = 'erased';
const IDS = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/gm;

/** The ids of quotes of which nothing is left in any file, as these folders have them: ids, and nothing else. */
export function readErased(folders: readonly string[]): Set<string> {
  const ledgers = folders.map((folder) => path.join(folder, LEDGER)).filter((file) => existsSync(file));
  return new Set(ledgers.flatMap((file) => readFileSync(file, 'utf8').match(IDS) ?? []));
}

export function writeErased(folders: readonly string[], ids: Iterable<string>): void {
  const all = new Set(ids);
  for (const folder of folders) {
    try {
      const known = readErased([folder]);
      if ([...all].some((id) => !known.has(id)))
        writeWhole(path.join(folder, LEDGER), [...new Set([...known, ...all])].map((id) => `${id}\n`).join(''));
    } catch (error) {
      console.error(`What was erased could not be noted in ${folder}: ${(error as Error).message}`);
    }
  }
}

/**
 * A quote counts as erased once no file has anything of it, which is what the ledger beside the database says: with a
 * purge, and at a start after one that ended half-way. Resolves with whether there was something to erase.
 */
export async function finishErasing(database: Erasing, folders: readonly string[]): Promise<boolean> {
  const [own = ''] = folders;
  const rows = await database.transaction<{ quote_id: string }>(
    [{ sql: `select distinct quote_id::text from public.quote_events where code = 'borrada'`, parameters: [] }],
    { access: 'read' },
  );
  const erased = rows.map(({ quote_id }) => quote_id);
  const finished = readErased([own]);
  const isUnfinished = erased.some((id) => !finished.has(id));
  if (isUnfinished) await database.forget();
  writeErased(folders, erased);
  return isUnfinished;
}

/**
 * Erases again what a restored database still has, or does not know of. Resolves with how many it had. One of before
 * the desk has neither what blocks a quote nor what happened to it.
 */
export async function eraseAgain(database: Erasing, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const ofThem = (sql: string): Statement => ({ sql, parameters: [ids] });
  const [desk] = await database.transaction<{ there: boolean }>(
    [{ sql: `select to_regclass('public.quote_events') is not null as there`, parameters: [] }],
    { access: 'read' },
  );
  const [found] = await database.transaction<{ count: number }>(
    [ofThem('select count(*)::int as count from public.quotes where id = any ($1::uuid[])')],
    { access: 'read' },
  );
  if (!desk!.there) await database.transaction([ofThem('delete from public.quotes where id = any ($1::uuid[])')]);
  else
    await database.transaction([
      ofThem(
        'update public.quote_desk set blocked_at = now() where quote_id = any ($1::uuid[]) and blocked_at is null',
      ),
      ofThem('delete from public.quotes where id = any ($1::uuid[])'),
      ofThem(`insert into public.quote_events (quote_id, version, code)
              select erased, 1, 'borrada' from unnest($1::uuid[]) as erased
              where not exists (select from public.quote_events where quote_id = erased and code = 'borrada')`),
    ]);
  if (found!.count > 0) await database.forget();
  return found!.count;
}
