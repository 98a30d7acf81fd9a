import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { EmbeddedDatabase, Statement } from './database.ts';
import { writeAtomically } from './durable-files.ts';

export type ErasableDatabase = Pick<EmbeddedDatabase, 'transaction' | 'forget'>;

const LEDGER = 'erased';
const IDS = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/gm;

/**
 * Returns the ids in the ledgers of the folders. A ledger lists erased quotes whose traces were removed from the
 * database files.
 */
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
        writeAtomically(path.join(folder, LEDGER), [...new Set([...known, ...all])].map((id) => `${id}\n`).join(''));
    } catch (error) {
      console.error(`The list of erased quotes could not be written in ${folder}: ${(error as Error).message}`);
    }
  }
}

/**
 * Removes the traces of erased quotes from the database files, and adds their ids to the ledgers. Runs after quotes
 * were erased, and at the next start if that was interrupted. Resolves with true if there was something to remove.
 */
export async function finishErasing(database: ErasableDatabase, folders: readonly string[]): Promise<boolean> {
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
 * Erases from a restored database the quotes that a ledger names, and records the erasures as events. Resolves with the
 * number of erased quotes.
 */
export async function repeatErasures(database: ErasableDatabase, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const onIds = (sql: string): Statement => ({ sql, parameters: [ids] });
  const [found] = await database.transaction<{ count: number }>(
    [onIds('select count(*)::int as count from public.quotes where id = any ($1::uuid[])')],
    { access: 'read' },
  );
  await database.transaction([
    onIds('update public.quote_desk set blocked_at = now() where quote_id = any ($1::uuid[]) and blocked_at is null'),
    onIds('delete from public.quotes where id = any ($1::uuid[])'),
    onIds('delete from public.received_messages where id = any ($1::uuid[])'),
    onIds(`insert into public.quote_events (quote_id, version, code)
            select erased, 1, 'borrada' from unnest($1::uuid[]) as erased
            where not exists (select from public.quote_events where quote_id = erased and code = 'borrada')`),
  ]);
  if (found!.count > 0) await database.forget();
  return found!.count;
}
