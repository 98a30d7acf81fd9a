import type { Readable } from 'node:stream';
import type { PGlite } from '@electric-sql/pglite';
import { pgDump } from '@electric-sql/pglite-tools/pg_dump';
import { migrate } from './migrate.ts';
import { databaseOver, unpacked } from './pglite.ts';
import { CREATE_MISSING_ROLES } from './roles.ts';

const OWN = ['private.promise', 'private.quote_limits', 'public.alert_sender'];
/** A restore runs no triggers: a row was judged when it came, and an answer would set the clock of its lead once more. */
const AS_IT_WAS = `set session_replication_role = replica;
`;
/** Where alerts were sent before, there is a key already. The devices that come are bound to the one that comes with them. */
const ITS_KEYS = `delete from public.push_keys;
`;
const PARTS = 'public.quote_file_parts';
/** Parts of a file that are in memory at once: 64 kB each, written in letters. */
const PARTS_AT_ONCE = 16;

/**
 * A backup as SQL that a newer PostgreSQL reads, a portion at a time. `data`: rows alone, for a database that the same
 * migrations have made, as `supabase db push` does; without what such a one has of its own (promise, limits, accounts, who
 * sends its alerts). `copy` is where the backup is unpacked.
 */
export async function* sqlOf(archive: Readable, content: 'all' | 'data', copy: string): AsyncGenerator<Uint8Array> {
  const pglite = await unpacked(archive, copy);
  const dump = async (...args: string[]) => (await pgDump({ pg: pglite, args: ['--no-owner', ...args] })).bytes();
  // pg_dump has all that it writes in memory.
  const rows = ['--rows-per-insert=100', `--exclude-table-data=${PARTS}`];
  try {
    if (content === 'data') {
      // Rows fit the columns of this release alone. The copy is migrated, never the data.
      await migrate(databaseOver(pglite));
      const own = OWN.map((table) => `--exclude-table-data=${table}`);
      yield Buffer.from(AS_IT_WAS + ITS_KEYS);
      yield await dump('--data-only', '--schema=public', '--schema=private', ...own, ...rows);
      yield* partsAsSql(pglite);
    } else {
      yield Buffer.from(CREATE_MISSING_ROLES);
      yield await dump('--section=pre-data');
      yield await dump('--section=data', ...rows);
      yield* partsAsSql(pglite);
      yield await dump('--section=post-data');
    }
  } finally {
    await pglite.close();
  }
}

async function* partsAsSql(pglite: PGlite): AsyncGenerator<Uint8Array> {
  let last = ['00000000-0000-0000-0000-000000000000', -1];
  for (;;) {
    const { rows: parts } = await pglite.query<{ file_id: string; parte: number; hex: string }>(
      `select file_id, parte, encode(datos, 'hex') as hex from ${PARTS}
       where (file_id, parte) > ($1, $2) order by file_id, parte limit ${PARTS_AT_ONCE}`,
      last,
    );
    for (const { file_id, parte, hex } of parts)
      yield Buffer.from(`insert into ${PARTS} (file_id, parte, datos) values ('${file_id}', ${parte}, '\\x${hex}');\n`);
    const end = parts.at(-1);
    if (!end) return;
    last = [end.file_id, end.parte];
  }
}
