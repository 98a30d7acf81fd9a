import { randomBytes, randomUUID } from 'node:crypto';
import { databaseFolderIn } from '../../server/database/data-directory.ts';
import { openDatabase, type Statement } from '../../server/database/database.ts';
import { migrationsFolder } from '../../server/database/migrate.ts';
import { PART_BYTES } from '../../src/lead/files.ts';
import { sampleQuote, type SampleQuote } from '../integration/sample-quote.ts';

const FILE_BYTES = 10 * 1024 * 1024;

/** Number of 10 MB files that fill the storage up to the limit in `private.quote_limits`. */
export const FULL = 25;

/** Stores `count` files of 10 MB, each with its own quote, in an unused data directory. Returns the quotes’ ids. */
export async function storeFiles(dataDir: string, count: number): Promise<string[]> {
  const database = await openDatabase({
    folder: databaseFolderIn(dataDir),
    migrations: migrationsFolder,
    afterwards: [],
  });
  const quotes = Array.from({ length: count }, () => sampleQuote());
  try {
    for (const quote of quotes) await database.transaction(storing(quote));
    return quotes.map(({ id }) => id);
  } finally {
    await database.close();
  }
}

/**
 * Returns statements that store a quote and its file. Triggers are off, because they would hash 10 MB, which is slow.
 * All parts of the file have the same random bytes, yet gzip cannot shorten the file: it looks back less than a part.
 */
function storing(quote: SampleQuote): Statement[] {
  const id = randomUUID();
  const columns = Object.keys(quote);
  return [
    {
      sql: `insert into public.quotes (${columns.join()}) values (${columns.map((_, at) => `$${at + 1}`).join()})`,
      parameters: Object.values(quote),
    },
    { sql: 'set local session_replication_role = replica' },
    {
      sql: `insert into public.quote_files (id, quote_id, nombre, tipo, bytes, huella, whole_at)
            values ($1, $2, 'caja.jpg', 'image/jpeg', $3, encode(sha256($4::text::bytea), 'hex'), now())`,
      parameters: [id, quote.id, FILE_BYTES, id],
    },
    {
      sql: `insert into public.quote_file_parts (file_id, parte, datos)
            select $1, parte, decode($2, 'base64') from generate_series(0, $3 - 1) as parte`,
      parameters: [id, randomBytes(PART_BYTES).toString('base64'), FILE_BYTES / PART_BYTES],
    },
  ];
}
