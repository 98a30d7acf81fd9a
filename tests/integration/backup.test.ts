import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openBackend } from '../../server/backend.ts';
import { databaseFolderIn } from '../../server/database/data-directory.ts';
import { openPglite } from '../../server/database/pglite.ts';
import { readLimits } from '../../server/settings.ts';
import { folioOf } from '../../src/lead/folio.ts';
import { migrationsBefore, postgresEngines } from './engines.ts';
import { dataDirectory, runQuotes, Script, send, startServer, temporaryDirectory } from './processes.ts';
import { sampleQuote } from './sample-quote.ts';

async function run(action: 'backup' | 'restore', dataDir: string, ...parameters: string[]) {
  const script = new Script('backup', { DATA_DIR: dataDir }, [action, ...parameters]);
  return { code: await script.ended(), output: script.output, errors: script.errors };
}

const idsIn = async (dataDir: string) =>
  (JSON.parse((await runQuotes({ DATA_DIR: dataDir }, '--json')).output) as { id: string }[]).map(({ id }) => id);

/** A server with some quotes, and another place to bring them back to. */
async function place() {
  const dataDir = await dataDirectory();
  const { server, address } = await startServer(dataDir);
  const sent = [sampleQuote(), sampleQuote(), sampleQuote()];
  for (const quote of sent) expect((await send(address, quote)).status).toBe(201);
  const folder = temporaryDirectory();
  return { dataDir, server, address, sent, file: path.join(folder, 'all.tar.gz'), other: path.join(folder, 'other') };
}

test(
  'while it runs, all quotes go into one file, and come back from it where there are none',
  { timeout: 120_000 },
  async () => {
    const { dataDir, server, address, sent, file, other } = await place();
    expect(await run('backup', dataDir, file)).toMatchObject({ code: 0, errors: '' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await send(address, sampleQuote())).status).toBe(201);
    expect(await run('restore', other, file)).toMatchObject({
      code: 0,
      output: expect.stringMatching(
        new RegExp(`^${other} has the 3 quotes of ${file}\\.\n.*It cannot know of whom`, 's'),
      ),
    });
    expect((await idsIn(other)).toSorted()).toEqual(sent.map(({ id }) => id).toSorted());
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
  },
);

test('only the service key brings a backup out of the server', async () => {
  const { address } = await place();
  for (const headers of [{}, { apikey: 'aeropuente-public' }] as Record<string, string>[])
    expect((await fetch(`${address}/backup`, { headers })).status).toBe(401);
});

test('killed half-way neither leaves something that looks whole', { timeout: 180_000 }, async () => {
  const { dataDir, sent, file, other } = await place();
  for (let delay = 0; delay < 4; delay += 1) {
    const making = new Script('backup', { DATA_DIR: dataDir }, ['backup', file]);
    await new Promise((resolve) => setTimeout(resolve, 400 * delay));
    await making.end('SIGKILL');
    if (existsSync(file)) break;
  }
  if (!existsSync(file)) expect(await run('backup', dataDir, file)).toMatchObject({ code: 0 });
  for (let delay = 1; delay < 5; delay += 1) {
    const bringing = new Script('backup', { DATA_DIR: other }, ['restore', file]);
    await new Promise((resolve) => setTimeout(resolve, 400 * delay));
    await bringing.end('SIGKILL');
    if (existsSync(path.join(other, 'database'))) break;
  }
  if (!existsSync(path.join(other, 'database'))) expect(await run('restore', other, file)).toMatchObject({ code: 0 });
  expect((await idsIn(other)).toSorted()).toEqual(sent.map(({ id }) => id).toSorted());
});

test('what is no whole backup is refused, and nothing is made of it', { timeout: 120_000 }, async () => {
  const { dataDir, file, other } = await place();
  expect(await run('restore', other, file)).toMatchObject({
    code: 1,
    errors: expect.stringContaining('cannot be read'),
  });
  writeFileSync(file, 'no backup');
  expect(await run('restore', other, file)).toMatchObject({
    code: 1,
    errors: `${file} is no whole backup: nothing was made of it.\n`,
  });
  await run('backup', dataDir, `${file}2`);
  truncateSync(`${file}2`, 1_000_000);
  expect(await run('restore', other, `${file}2`)).toMatchObject({
    code: 1,
    errors: expect.stringContaining('no whole backup'),
  });
  expect(readdirSync(other).filter((name) => name.startsWith('database'))).toEqual([]);
});

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

test(
  'a newer release keeps the database as it was, before it changes it, and says where',
  { timeout: 180_000 },
  async () => {
    const dataDir = temporaryDirectory();
    const settings = { dataDir, limits: readLimits({}), anonKey: 'aeropuente-public' };
    await (await openBackend(settings, await migrationsBefore('alerts'))).close();
    expect(existsSync(path.join(dataDir, 'backups'))).toBe(false);
    const { server } = await startServer(dataDir);
    const [, file] = /Before the database is brought up to date: (\S+) has all of it/.exec(server.output)!;
    expect(path.dirname(file!)).toBe(path.join(dataDir, 'backups'));
    expect(await run('restore', path.join(temporaryDirectory(), 'other'), file!)).toMatchObject({ code: 0 });
  },
);

test('what was erased since a backup is erased again where it is brought back', { timeout: 180_000 }, async () => {
  const { dataDir, server, sent, file } = await place();
  expect(await run('backup', dataDir, file)).toMatchObject({ code: 0 });
  const folio = folioOf(sent[0]!.id);
  for (const command of ['block', 'purge'])
    expect(await runQuotes({ DATA_DIR: dataDir }, command, folio)).toMatchObject({ code: 0 });
  await server.end('SIGTERM');
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

const TABLES = `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
  where table_type = 'BASE TABLE' and table_schema in ('public', 'private', 'private_auth', 'supabase_migrations') order by 1`;

test('as SQL, all of it comes back in PostgreSQL, row by row', { timeout: 180_000 }, async (context) => {
  const { dataDir, server, file } = await place();
  const dump = `${file}.sql`;
  // It would go on sending alerts, and noting them.
  await server.end('SIGTERM');
  expect(await run('backup', dataDir, '--sql', dump)).toMatchObject({ code: 0, errors: '' });
  const engines = await postgresEngines();
  if (!engines) return context.skip();
  const [engine, other] = engines;
  const pglite = await openPglite(databaseFolderIn(dataDir));
  try {
    const compared = await engine.transaction(async (session) => {
      await session.run(`drop schema public cascade; drop schema private cascade; drop schema auth cascade;
                         drop schema supabase_migrations cascade; create schema public`);
      await session.run(readFileSync(dump, 'utf8'));
      const tables = await session.query<{ name: string }>(TABLES);
      expect(tables).toEqual((await pglite.query(TABLES)).rows);
      let rows = 0;
      for (const { name } of tables) {
        const sql = `select to_jsonb(t)::text as row from ${name} as t order by 1`;
        const there = await session.query(sql);
        expect(there).toEqual((await pglite.query(sql)).rows);
        rows += there.length;
      }
      return rows;
    });
    expect(compared).toBeGreaterThan(10);
  } finally {
    await pglite.close();
    await Promise.all([engine.close(), other.close()]);
  }
});
