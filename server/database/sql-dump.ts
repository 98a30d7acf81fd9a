import type { Readable } from 'node:stream';
import type { PGlite } from '@electric-sql/pglite';
import { pgDump } from '@electric-sql/pglite-tools/pg_dump';
import { migrate } from './migrate.ts';
import { databaseOn, openArchive } from './pglite.ts';
import { CREATE_MISSING_ROLES } from './roles.ts';

const OWN = ['private.promise', 'private.quote_limits', 'public.alert_sender'];
/**
 * Turns the triggers off. The rows were checked when they were first stored, and the trigger of an answer would change
 * the deadline of its lead.
 */
const WITHOUT_TRIGGERS = `set session_replication_role = replica;
`;
/** Deletes the push keys of the receiving database, because the devices have subscribed with the keys of the backup. */
const WITHOUT_PUSH_KEYS = `delete from public.push_keys;
`;
const PARTS = 'public.quote_file_parts';
const PARTS_AT_ONCE = 16;

/**
 * Converts a backup into SQL, in portions, for another server or a newer PostgreSQL. `data`: rows only, for a database
 * with the same migrations, which keeps its own settings, accounts and sender of alerts. `copy`: folder for the
 * unpacked backup.
 */
export async function* sqlOf(archive: Readable, content: 'all' | 'data', copy: string): AsyncGenerator<Uint8Array> {
  const pglite = await openArchive(archive, copy);
  const dump = async (...args: string[]) => (await pgDump({ pg: pglite, args: ['--no-owner', ...args] })).bytes();
  // Customers' files are dumped separately, because pg_dump has its whole output in memory.
  const rows = ['--rows-per-insert=100', `--exclude-table-data=${PARTS}`];
  try {
    if (content === 'data') {
      // The unpacked backup is migrated first, because its rows must fit the columns of this release.
      await migrate(databaseOn(pglite));
      const own = OWN.map((table) => `--exclude-table-data=${table}`);
      yield Buffer.from(WITHOUT_TRIGGERS + WITHOUT_PUSH_KEYS);
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
