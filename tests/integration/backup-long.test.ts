import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { databaseFolderIn } from '../../server/database/data-directory.ts';
import { migrationsFolder } from '../../server/database/migrate.ts';
import { openPglite, openArchive } from '../../server/database/pglite.ts';
import { storeFiles } from '../chaos/full-store.ts';
import { insertion, introduce, visitor } from './callers.ts';
import { postgresEngines, type Session } from './engines.ts';
import { nextRelease } from './next-release.ts';
import {
  dataDirectory,
  peakIn,
  runProcess,
  runScript,
  SAYS_PEAK,
  send,
  startServer,
  temporaryDirectory,
} from './processes.ts';
import { sampleQuote } from './sample-quote.ts';
import { storedDirectory } from './stored.ts';

const run = (dataDir: string, ...parameters: string[]) =>
  runScript('backup', { DATA_DIR: dataDir }, ['backup', ...parameters]);

test('a newer release makes a backup of older data without migrating them', async () => {
  const [dataDir, folder] = [await dataDirectory(), temporaryDirectory()];
  const file = path.join(folder, 'all.tar.gz');
  const backup = async (...parameters: string[]) =>
    runProcess('backup', { DATA_DIR: dataDir }, ['backup', ...parameters], '', await nextRelease());
  expect(await backup(file)).toMatchObject({ code: 0, errors: '' });
  expect(await backup('--sql', '--data', `${file}.rows`)).toMatchObject({ code: 0, errors: '' });
  expect(readFileSync(`${file}.rows`, 'utf8')).toContain('-- Data for Name: next_words;');
  for (const pglite of [
    await openPglite(databaseFolderIn(dataDir)),
    await openArchive(createReadStream(file), path.join(folder, 'unpacked')),
  ]) {
    const { rows } = await pglite.query('select from supabase_migrations.schema_migrations');
    await pglite.close();
    expect(rows).toHaveLength(readdirSync(migrationsFolder).length);
  }
});

// This test stores 120 MB to save time; `npm run soak` measures the memory with 250 MB, the most that is allowed.
test('backup, restore and SQL export of 120 MB of files need under 500 MB of memory', async () => {
  const [dataDir, BACKUP_DIR] = [await dataDirectory(), temporaryDirectory()];
  const other = path.join(temporaryDirectory(), 'other');
  await storeFiles(dataDir, 12);
  const { server, address } = await startServer(dataDir, { BACKUP_DIR, NODE_OPTIONS: SAYS_PEAK });
  const [, file] = await server.says(/Backup: (\S+) contains all quotes/);
  expect((await send(address, sampleQuote())).status).toBe(201);
  const measured = async (action: 'backup' | 'restore', DATA_DIR: string, ...parameters: string[]) => {
    const { code, errors } = await runProcess('backup', { DATA_DIR, NODE_OPTIONS: SAYS_PEAK }, [action, ...parameters]);
    expect(code, errors).toBe(0);
    return peakIn(errors);
  };
  const peaks = { restore: await measured('restore', other, file!), sql: 0, server: 0 };
  peaks.sql = await measured('backup', dataDir, '--sql', path.join(BACKUP_DIR, 'all.sql'));
  await server.end('SIGTERM');
  peaks.server = peakIn(server.errors);
  for (const [process, peak] of Object.entries(peaks)) expect(peak, process).toBeLessThan(500);
});

const tablesOf = (schemas: string) => `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name
  from information_schema.tables where table_type = 'BASE TABLE' and table_schema in (${schemas}) order by 1`;

test('an SQL backup restores every row in PostgreSQL', async (context) => {
  const { dataDir, file } = await storedDirectory();
  await storeFiles(dataDir, 1);
  const ofAlerts = (name: string) =>
    `insert into public.push_keys (public_key, private_key) values ('${name}', 'its other')`;
  const source = await openPglite(databaseFolderIn(dataDir));
  await source.exec(ofAlerts('of the devices that come'));
  await source.close();
  expect(await run(dataDir, '--sql', `${file}.sql`)).toMatchObject({ code: 0, errors: '' });
  expect(await run(dataDir, '--sql', '--data', `${file}.rows`)).toMatchObject({ code: 0, errors: '' });
  const engines = await postgresEngines();
  if (!engines) return context.skip();
  const [engine, other] = engines;
  const pglite = await openPglite(databaseFolderIn(dataDir));
  /** Compares all tables of these schemas in both databases. Returns the number of rows. */
  const compared = async (session: Session, schemas: string, but: readonly string[] = []) => {
    const tables = await session.query<{ name: string }>(tablesOf(schemas));
    expect(tables).toEqual((await pglite.query(tablesOf(schemas))).rows);
    let rows = 0;
    for (const { name } of tables.filter((table) => !but.includes(table.name))) {
      const sql = `select to_jsonb(t)::text as row from ${name} as t order by 1`;
      const there = await session.query(sql);
      expect(there).toEqual((await pglite.query(sql)).rows);
      rows += there.length;
    }
    return rows;
  };
  try {
    const all = await engine.transaction(async (session) => {
      await session.run(`drop schema public cascade; drop schema private cascade; drop schema auth cascade;
                         drop schema supabase_migrations cascade; drop schema extensions cascade; create schema public`);
      await session.run(readFileSync(`${file}.sql`, 'utf8'));
      return compared(session, `'public', 'private', 'private_auth', 'supabase_migrations'`);
    });
    expect(all).toBeGreaterThan(10);
    const rows = await other.transaction(async (session) => {
      await session.run(ofAlerts('of alerts that were tried before'));
      await session.run(readFileSync(`${file}.rows`, 'utf8'));
      return compared(session, `'public', 'private'`, [
        'private.promise',
        'private.quote_limits',
        'public.alert_sender',
      ]);
    });
    expect(rows).toBeGreaterThan(10);
    // The database must accept new rows after the import.
    await other.transaction(async (session) => {
      await session.run('reset all');
      await introduce(session, visitor);
      await session.query(...insertion('quotes', sampleQuote(), ''));
    });
  } finally {
    await pglite.close();
    await Promise.all([engine.close(), other.close()]);
  }
});
