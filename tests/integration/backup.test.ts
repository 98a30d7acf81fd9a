import {
  copyFileSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { databaseFolderIn, readSecret } from '../../server/database/data-directory.ts';
import { migrationsFolder } from '../../server/database/migrate.ts';
import { openPglite, unpacked } from '../../server/database/pglite.ts';
import { createGate } from '../../server/rest/identity.ts';
import { folioOf } from '../../src/lead/folio.ts';
import { storeFiles } from '../chaos/full-store.ts';
import { insertion, introduce, visitor } from './callers.ts';
import { postgresEngines, type Session } from './engines.ts';
import { nextRelease } from './next-release.ts';
import {
  askAuth,
  dataDirectory,
  hire,
  peakIn,
  preloaded,
  runQuotes,
  runScript,
  SAYS_PEAK,
  Script,
  send,
  startServer,
  temporaryDirectory,
} from './processes.ts';
import { sampleQuote } from './sample-quote.ts';
import { storedDirectory } from './stored.ts';

const run = (action: 'backup' | 'restore', dataDir: string, ...parameters: string[]) =>
  runScript('backup', { DATA_DIR: dataDir }, [action, ...parameters]);

const idsIn = async (dataDir: string) =>
  (JSON.parse((await runQuotes({ DATA_DIR: dataDir }, '--json')).output) as { id: string }[]).map(({ id }) => id);

test(
  'while it runs, all quotes and accounts go into one file, for the service key alone, and come back from it where there are none',
  { timeout: 120_000 },
  async () => {
    const [dataDir, folder] = [await dataDirectory(), temporaryDirectory()];
    const [file, other] = [path.join(folder, 'all.tar.gz'), path.join(folder, 'other')];
    const { server, address } = await startServer(dataDir);
    const sent = [sampleQuote(), sampleQuote(), sampleQuote()];
    for (const quote of sent) expect((await send(address, quote)).status).toBe(201);
    for (const headers of [{}, { apikey: 'aeropuente-public' }] as Record<string, string>[])
      expect((await fetch(`${address}/backup`, { headers })).status).toBe(401);
    const ana = await hire(dataDir);
    const signedIn = await askAuth(address, 'password', ana);
    expect(signedIn.status).toBe(200);
    expect(await run('backup', dataDir, file)).toMatchObject({ code: 0, errors: '' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { stdout: names } = spawnSync('tar', ['-tzf', file], { encoding: 'utf8' });
    expect(names).toContain('PG_VERSION');
    expect(names).not.toContain('jwt-secret');
    expect((await send(address, sampleQuote())).status).toBe(201);
    expect(await run('restore', other, file)).toMatchObject({
      code: 0,
      output: expect.stringMatching(
        new RegExp(`^${other} has the 3 quotes of ${file}\\.\n.*It cannot know of whom`, 's'),
      ),
    });
    // What is there is never written over.
    expect(await run('backup', dataDir, file)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('there already'),
    });
    expect(await run('restore', other, file)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('nothing was touched'),
    });
    await server.end('SIGTERM');
    expect(await run('backup', dataDir, `${file}2`)).toMatchObject({ code: 0, errors: '' });

    const restored = await startServer(other);
    expect((await idsIn(other)).toSorted()).toEqual(sent.map(({ id }) => id).toSorted());
    expect((await askAuth(restored.address, 'password', ana)).status).toBe(200);
    // With another key in the directory, what the old one signed opens nothing.
    expect((await askAuth(restored.address, 'refresh_token', (await signedIn.json()) as object)).status).toBe(400);
  },
);

test(
  'what is no whole backup is refused; killed half-way neither leaves something that looks whole, and the same command ends what it began',
  { timeout: 180_000 },
  async () => {
    const { dataDir, sent, file, other } = await storedDirectory();
    rmSync(file);
    const refused = async (from: string, errors: unknown) =>
      expect(await run('restore', other, from)).toMatchObject({ code: 1, errors });
    await refused(file, expect.stringContaining('cannot be read'));
    writeFileSync(`${file}.no`, 'no backup');
    await refused(`${file}.no`, `${file}.no is no whole backup (incorrect header check): nothing was made of it.\n`);

    const killed = async (ENDS_AT: string, DATA_DIR: string, action: string) => {
      const script = new Script('backup', { DATA_DIR, ENDS_AT, NODE_OPTIONS: preloaded('ending') }, [action, file]);
      expect(await script.ended()).toBeNull();
    };
    await killed('renameSync all.tar.gz.part', dataDir, 'backup');
    expect(existsSync(file)).toBe(false);
    expect(await run('backup', dataDir, file)).toMatchObject({ code: 0, errors: '' });
    copyFileSync(file, `${file}.cut`);
    truncateSync(`${file}.cut`, 1_000_000);
    await refused(`${file}.cut`, expect.stringContaining('no whole backup'));
    expect(readdirSync(other).filter((name) => name.startsWith('database'))).toEqual([]);
    // As it begins, as it unpacks, and when only the name is missing.
    for (const moment of ['mkdirSync database.new', 'openSync global/pg_control', 'renameSync database.new']) {
      await killed(moment, other, 'restore');
      expect(existsSync(databaseFolderIn(other))).toBe(false);
    }
    expect(await run('restore', other, file)).toMatchObject({ code: 0, errors: '' });
    expect(readdirSync(other).filter((name) => name.startsWith('database'))).toEqual(['database']);
    expect((await idsIn(other)).toSorted()).toEqual(sent.map(({ id }) => id).toSorted());
  },
);

test(
  'data of an earlier release are backed up as they are, for a way back; as rows alone they fit the tables of this one',
  { timeout: 120_000 },
  async () => {
    const [dataDir, folder] = [await dataDirectory(), temporaryDirectory()];
    const file = path.join(folder, 'all.tar.gz');
    const backup = async (...parameters: string[]) =>
      runScript('backup', { DATA_DIR: dataDir }, ['backup', ...parameters], '', await nextRelease());
    expect(await backup(file)).toMatchObject({ code: 0, errors: '' });
    expect(await backup('--sql', '--data', `${file}.rows`)).toMatchObject({ code: 0, errors: '' });
    expect(readFileSync(`${file}.rows`, 'utf8')).toContain('-- Data for Name: next_words;');
    for (const pglite of [
      await openPglite(databaseFolderIn(dataDir)),
      await unpacked(createReadStream(file), path.join(folder, 'unpacked')),
    ]) {
      const { rows } = await pglite.query('select from supabase_migrations.schema_migrations');
      await pglite.close();
      expect(rows).toHaveLength(readdirSync(migrationsFolder).length);
    }
  },
);

// The whole store, of 250 MB, has its figures by `npm run soak`.
test(
  'files of 120 MB are backed up, restored and written as SQL within 500 MB of memory',
  { timeout: 180_000 },
  async () => {
    const [dataDir, BACKUP_DIR] = [await dataDirectory(), temporaryDirectory()];
    const other = path.join(temporaryDirectory(), 'other');
    await storeFiles(dataDir, 12);
    const { server, address } = await startServer(dataDir, { BACKUP_DIR, NODE_OPTIONS: SAYS_PEAK });
    const [, file] = await server.says(/Backup: (\S+) has all quotes/);
    expect((await send(address, sampleQuote())).status).toBe(201);
    const measured = async (action: 'backup' | 'restore', DATA_DIR: string, ...parameters: string[]) => {
      const { code, errors } = await runScript('backup', { DATA_DIR, NODE_OPTIONS: SAYS_PEAK }, [
        action,
        ...parameters,
      ]);
      expect(code, errors).toBe(0);
      return peakIn(errors);
    };
    const peaks = { restore: await measured('restore', other, file!), sql: 0, server: 0 };
    peaks.sql = await measured('backup', dataDir, '--sql', path.join(BACKUP_DIR, 'all.sql'));
    await server.end('SIGTERM');
    peaks.server = peakIn(server.errors);
    for (const [process, peak] of Object.entries(peaks)) expect(peak, process).toBeLessThan(500);
  },
);

test('a backup has what was stored while it was made', { timeout: 120_000 }, async () => {
  const { dataDir, sent, other } = await storedDirectory();
  // More than lies between the two processes.
  await storeFiles(dataDir, 3);
  const { server, address } = await startServer(dataDir);
  const archive = await beginBackup(dataDir, address);
  const later = Array.from({ length: 60 }, () => sampleQuote());
  for (const quote of later) expect((await send(address, quote)).status).toBe(201);
  const file = path.join(dataDir, 'all.tar.gz');
  await writeFile(file, archive);
  await server.end('SIGTERM');
  expect(await run('restore', other, file)).toMatchObject({ code: 0, errors: '' });
  expect(await idsIn(other)).toEqual(expect.arrayContaining([...sent, ...later].map(({ id }) => id)));
});

test('a backup that is under way when a quote is erased is none', { timeout: 120_000 }, async () => {
  const { dataDir, sent } = await storedDirectory();
  await storeFiles(dataDir, 3);
  const { address } = await startServer(dataDir);
  const archive = await beginBackup(dataDir, address);
  for (const command of ['block', 'purge'])
    expect(await runQuotes({ DATA_DIR: dataDir }, command, folioOf(sent[0]!.id))).toMatchObject({ code: 0 });
  await expect(archive.toArray()).rejects.toThrow('terminated');
});

/** The first bytes of it have come. */
async function beginBackup(dataDir: string, address: string): Promise<Readable> {
  const key = await createGate({ publishableKey: 'aeropuente-public', secret: readSecret(dataDir)! }).serviceKey();
  const response = await fetch(`${address}/backup`, { headers: { apikey: key } });
  expect(response.status).toBe(200);
  const archive = Readable.from(response.body!);
  await once(archive, 'readable');
  return archive;
}

const health = async (address: string) =>
  ((await (await fetch(`${address}/healthz`)).json()) as { backup?: { at: string | null; ok: boolean } }).backup;

test(
  'where there is a folder for them, backups make themselves, and one that cannot be made is said',
  { timeout: 180_000 },
  async () => {
    const BACKUP_DIR = path.join(temporaryDirectory(), 'backups');
    const dataDir = await dataDirectory();
    const gone = await startServer(dataDir, { BACKUP_DIR });
    await expect.poll(() => gone.server.errors).toContain(`NO BACKUP was made: the folder ${BACKUP_DIR} is not there.`);
    expect(await health(gone.address)).toEqual({ at: null, ok: false });
    await gone.server.end('SIGTERM');
    mkdirSync(BACKUP_DIR);
    const { server, address } = await startServer(dataDir, { BACKUP_DIR });
    const [, file] = await server.says(/Backup: (\S+) has all quotes/);
    await expect.poll(() => health(address)).toMatchObject({ at: expect.stringMatching(/^20/), ok: true });
    expect(await run('restore', path.join(temporaryDirectory(), 'other'), file!)).toMatchObject({ code: 0 });
  },
);

test('a whole backup that cannot be brought back is not said to be none', { timeout: 120_000 }, async () => {
  const { file, other } = await storedDirectory();
  const FREE = path.join(temporaryDirectory(), 'free');
  writeFileSync(FREE, '60');
  const environment = { DATA_DIR: other, FREE, NODE_OPTIONS: preloaded('scarce') };
  const full = await runScript('backup', environment, ['restore', file]);
  expect(full.code).toBe(1);
  expect(full.errors).toMatch(/^The disk is nearly full: less than \d+ MB are free for the database\n$/);
  expect(readdirSync(other).filter((name) => name.startsWith('database'))).toEqual([]);
});

test('a folder that is full is said, and the backup that was there stays', { timeout: 120_000 }, async () => {
  const BACKUP_DIR = temporaryDirectory();
  const dataDir = await dataDirectory();
  const yesterday = new Date(Date.now() - 25 * 3_600_000).toISOString().slice(0, 19);
  const name = `aeropuente-${yesterday.replaceAll(':', '')}.tar.gz`;
  writeFileSync(path.join(BACKUP_DIR, name), 'of yesterday');
  const full = { BACKUP_DIR, FULL: BACKUP_DIR, NODE_OPTIONS: preloaded('full') };
  const { server, address } = await startServer(dataDir, full);
  await expect.poll(() => server.errors).toContain('NO BACKUP was made: ENOSPC');
  expect(await health(address)).toEqual({ at: `${yesterday}.000Z`, ok: false });
  expect((await send(address, sampleQuote())).status).toBe(201);
  expect(readdirSync(BACKUP_DIR)).toEqual([name]);
  expect(readFileSync(path.join(BACKUP_DIR, name), 'utf8')).toBe('of yesterday');
});

test('what was erased since a backup is erased again where it is brought back', { timeout: 180_000 }, async () => {
  const { dataDir, sent, file } = await storedDirectory();
  const folio = folioOf(sent[0]!.id);
  for (const command of ['block', 'purge'])
    expect(await runQuotes({ DATA_DIR: dataDir }, command, folio)).toMatchObject({ code: 0 });
  renameSync(databaseFolderIn(dataDir), path.join(temporaryDirectory(), 'old'));
  const restored = await run('restore', dataDir, file);
  expect(restored).toMatchObject({ code: 0, errors: '' });
  expect(restored.output).toContain('1 of its quotes had been erased since: they are erased again.');
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const email = sent[0]!.email;
  for (const { parentPath, name } of files)
    expect(readFileSync(path.join(parentPath, name)).includes(email)).toBe(false);
  expect((await idsIn(dataDir)).toSorted()).toEqual([sent[1]!.id, sent[2]!.id].toSorted());
});

const tablesOf = (schemas: string) => `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name
  from information_schema.tables where table_type = 'BASE TABLE' and table_schema in (${schemas}) order by 1`;

test(
  'as SQL, all of it comes back in PostgreSQL, row by row, and its rows alone where our tables are',
  { timeout: 180_000 },
  async (context) => {
    const { dataDir, file } = await storedDirectory();
    await storeFiles(dataDir, 1);
    const ofAlerts = (name: string) =>
      `insert into public.push_keys (public_key, private_key) values ('${name}', 'its other')`;
    const source = await openPglite(databaseFolderIn(dataDir));
    await source.exec(ofAlerts('of the devices that come'));
    await source.close();
    expect(await run('backup', dataDir, '--sql', `${file}.sql`)).toMatchObject({ code: 0, errors: '' });
    expect(await run('backup', dataDir, '--sql', '--data', `${file}.rows`)).toMatchObject({ code: 0, errors: '' });
    const engines = await postgresEngines();
    if (!engines) return context.skip();
    const [engine, other] = engines;
    const pglite = await openPglite(databaseFolderIn(dataDir));
    /** How many rows are the same in all tables of these schemas. */
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
        return compared(session, `'public', 'private'`, ['private.quote_limits', 'public.alert_sender']);
      });
      expect(rows).toBeGreaterThan(10);
      // What is written from now on follows on what came.
      await other.transaction(async (session) => {
        await session.run('reset all');
        await introduce(session, visitor);
        await session.query(...insertion('quotes', sampleQuote(), ''));
      });
    } finally {
      await pglite.close();
      await Promise.all([engine.close(), other.close()]);
    }
  },
);
