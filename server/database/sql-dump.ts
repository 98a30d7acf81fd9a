import { PGlite } from '@electric-sql/pglite';
import { pgDump } from '@electric-sql/pglite-tools/pg_dump';
import { migrate } from './migrate.ts';
import { archiveOf, databaseOver, EXTENSIONS } from './pglite.ts';
import { CREATE_MISSING_ROLES } from './roles.ts';

const OWN = ['private.quote_limits', 'public.alert_sender'];
/** A restore runs no triggers: a row was judged when it came, and an answer would set the clock of its lead once more. */
const AS_IT_WAS = `set session_replication_role = replica;
`;
/** Where alerts were sent before, there is a key already. The devices that come are bound to the one that comes with them. */
const ITS_KEYS = `delete from public.push_keys;
`;

/**
 * A backup as SQL that a newer PostgreSQL reads. `data`: rows alone, for a database that the same migrations have made,
 * as `supabase db push` does; without what such a one has of its own (limits, accounts, who sends its alerts).
 */
export async function sqlOf(backup: Uint8Array, content: 'all' | 'data'): Promise<string> {
  const pglite = await PGlite.create({ loadDataDir: archiveOf(backup), extensions: EXTENSIONS });
  const args =
    content === 'data'
      ? ['--data-only', '--schema=public', '--schema=private', ...OWN.map((table) => `--exclude-table-data=${table}`)]
      : [];
  try {
    // Its rows fit no other columns. What is brought up to date is this copy in memory.
    if (content === 'data') await migrate(databaseOver(pglite));
    const file = await pgDump({ pg: pglite, args: ['--no-owner', '--rows-per-insert=100', ...args] });
    return (content === 'data' ? AS_IT_WAS + ITS_KEYS : CREATE_MISSING_ROLES) + (await file.text());
  } finally {
    await pglite.close();
  }
}
