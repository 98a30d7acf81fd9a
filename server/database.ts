import { readFileSync } from 'node:fs';
import { rename, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';

/** What the rest of the server needs of PostgreSQL, whichever one it is. */
export interface Database {
  /** Commits when `work` resolves; otherwise nothing of it happened. */
  transaction<Result>(work: (session: Session) => Promise<Result>, access?: Access): Promise<Result>;
  close(): Promise<void>;
}

type Access = 'read' | 'write';

export interface Session {
  query<Row extends object>(statement: string, parameters?: readonly unknown[]): Promise<Row[]>;
  /** Several statements at once, as a migration has them. */
  run(script: string): Promise<void>;
}

const MEGABYTE = 1024 * 1024;
/**
 * Where its log cannot grow, PGlite neither fails nor returns: it blocks the whole process. The log
 * grows by 16 MB at a time, so writing stops while there is still room for that.
 */
const RESERVE = 48 * MEGABYTE;
const NEW_DATABASE = 40 * MEGABYTE;

/** PostgreSQL inside this process, kept in `folder`, with the roles a hosted project has. */
export async function openPglite(folder: string): Promise<Database> {
  const exists = await stat(folder).then(
    () => true,
    () => false,
  );
  await requireRoom(path.dirname(folder), exists ? RESERVE : RESERVE + NEW_DATABASE);
  if (!exists) {
    // Made beside its place and moved there whole: a start killed half-way leaves nothing to trip over.
    const unfinished = `${folder}.new`;
    await rm(unfinished, { recursive: true, force: true });
    const fresh = await PGlite.create(unfinished);
    await fresh.exec(readFileSync(new URL('roles.sql', import.meta.url), 'utf8'));
    await fresh.close();
    await rename(unfinished, folder);
  }
  return overPglite(await PGlite.create(folder), () => requireRoom(folder, RESERVE));
}

export function overPglite(pglite: PGlite, beforeWriting: () => Promise<void> = async () => {}): Database {
  return {
    async transaction(work, access = 'write') {
      if (access === 'write') await beforeWriting();
      return pglite.transaction(async (transaction) => {
        if (access === 'read') await transaction.exec('set transaction read only');
        return work({
          query: async <Row extends object>(statement: string, parameters: readonly unknown[] = []) =>
            (await transaction.query<Row>(statement, [...parameters])).rows,
          run: async (script) => void (await transaction.exec(script)),
        });
      });
    },
    close: () => pglite.close(),
  };
}

/** Fails as PostgreSQL does when a disk is full. */
async function requireRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= bytes) return;
  const message = `The disk is nearly full: less than ${bytes / MEGABYTE} MB are free for the database`;
  throw Object.assign(new Error(message), { code: '53100' });
}
