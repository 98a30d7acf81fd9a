import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { openBackend, type Backend } from '../../server/backend.ts';
import type { BackupSettings } from '../../server/database/backups.ts';
import { migrationsFolder } from '../../server/database/migrate.ts';
import { readLimits } from '../../server/settings.ts';
import {
  dataDirectory,
  hire,
  preloaded,
  runProcess,
  runQuotes,
  runScript,
  send,
  startServer,
  temporaryDirectory,
} from './processes.ts';
import { sampleQuote } from './sample-quote.ts';

const open = (dataDir: string, migrations?: string, backups?: BackupSettings) =>
  openBackend({ dataDir, limits: readLimits({}), publishableKey: 'public', ...(backups && { backups }) }, migrations);

test('the first start creates database and keys; quotes, accounts and keys survive restarts', async () => {
  const dataDir = path.join(temporaryDirectory(), 'deep', 'data');
  const FREE = path.join(temporaryDirectory(), 'free');
  writeFileSync(FREE, '60');
  const scarce = { DATA_DIR: dataDir, FREE, NODE_OPTIONS: preloaded('scarce') };
  const { code, errors } = await runProcess('staff', scarce, ['add', 'ana@ejemplo.mx']);
  expect(code).toBe(1);
  expect(errors).toContain('The disk is nearly full: less than 88 MB are free for the database');
  expect(readdirSync(dataDir)).not.toContain('database');

  mkdirSync(path.join(dataDir, 'database.new', 'base'), { recursive: true });
  writeFileSync(path.join(dataDir, 'database.new', 'PG_VERSION'), '18\n');
  const { email, password } = await hire(dataDir);
  expect((await runScript('staff', { DATA_DIR: dataDir }, ['grant', email])).output).toContain('was staff already');
  const first = await open(dataDir);
  const asked = { headers: { apikey: 'public', 'content-type': 'application/json' }, method: 'POST' };
  const signIn = new Request('http://localhost/auth/v1/token?grant_type=password', {
    ...asked,
    body: JSON.stringify({ email, password }),
  });
  expect((await first.answer(signIn, '203.0.113.1')).status).toBe(200);
  expect(await insert(first)).toBe(201);
  await first.close();
  const second = await open(dataDir);
  expect(await count(second)).toBe(1);
  expect(await count(second, await first.serviceKey())).toBe(1);
  const claims = Buffer.from((await second.serviceKey()).split('.')[1]!, 'base64url').toString();
  const { exp } = JSON.parse(claims) as { exp: number };
  expect(exp * 1000 - Date.now()).toBeLessThanOrEqual(5 * 60_000);
  expect(statSync(path.join(dataDir, 'jwt-secret')).mode & 0o777).toBe(0o600);
  await second.close();
});

test('a data directory can be opened by only one process at a time', async () => {
  const dataDir = await dataDirectory();
  const first = await open(dataDir);
  await expect(open(dataDir)).rejects.toThrow(`Another AeroPuente process is using ${dataDir}.`);
  expect(await insert(first)).toBe(201);
  await first.close();
  await (await open(dataDir)).close();
});

test('the server refuses to start with an empty database after an interrupted restore', async () => {
  const dataDir = await dataDirectory();
  const database = path.join(dataDir, 'database');
  renameSync(database, `${database}.older`);
  await expect(open(dataDir)).rejects.toThrow('aeropuente upgrade back');
  renameSync(`${database}.older`, database);
  for (const left of ['database.newer', 'upgrade']) mkdirSync(path.join(dataDir, left));
  await (await open(dataDir)).close();
  expect(readdirSync(dataDir).toSorted()).toEqual(['database', 'jwt-secret', 'lock', 'release']);
});

test('the server keeps the backup that it made before a migration, even if the migration fails', async () => {
  // The database thread writes directly to stdout, so the test replaces stdout instead of the console.
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const dataDir = await dataDirectory();
  const backups = path.join(dataDir, 'backups');
  expect(existsSync(backups)).toBe(false);
  const migrations = temporaryDirectory();
  cpSync(migrationsFolder, migrations, { recursive: true });
  writeFileSync(path.join(migrations, '20980101000000_good.sql'), 'create table public.good (x int);');
  const broken = path.join(migrations, '20990101000000_broken.sql');
  writeFileSync(broken, 'create table public.half (x int); insert into public.half values (1); select 1 / 0;');
  // The server never creates the backup folder that the settings name, because its disk may not be mounted.
  const named = path.join(dataDir, 'respaldos');
  await expect(open(dataDir, migrations, { folder: named, everyMs: 86_400_000 })).rejects.toThrow(
    `no backup could be made (the folder ${named} does not exist)`,
  );
  expect(existsSync(named)).toBe(false);
  await expect(open(dataDir, migrations)).rejects.toThrow(
    'The migration 20990101000000_broken.sql failed and was rolled back: division by zero',
  );
  const [file] = readdirSync(backups);
  await expect
    .poll(() => written.mock.calls.map(([text]) => String(text)).join(''))
    .toContain(`Backup before the upgrade: ${path.join(backups, file!)} contains the whole database.\n`);
  // The second attempt makes no new backup, because the first backup already has the data before the upgrade.
  const kept = () => readdirSync(backups).map((name) => [name, statSync(path.join(backups, name)).mtimeMs]);
  const before = kept();
  await expect(open(dataDir, migrations)).rejects.toThrow('division by zero');
  expect(kept()).toEqual(before);
  writeFileSync(broken, 'create table public.half (x int);');
  const backend = await open(dataDir, migrations);
  expect(kept()).toEqual(before);
  expect(readdirSync(dataDir).filter((name) => name.startsWith('database'))).toEqual(['database']);
  expect(await insert(backend)).toBe(201);
  await backend.close();
  const elsewhere = { DATA_DIR: path.join(temporaryDirectory(), 'other') };
  expect(await runScript('backup', elsewhere, ['restore', path.join(backups, file!)])).toMatchObject({ code: 0 });
  const newest = readdirSync(migrationsFolder).toSorted().at(-1)!.replace('.sql', '');
  expect(await runScript('upgrade', { DATA_DIR: dataDir }, ['back'])).toMatchObject({
    code: 0,
    output: expect.stringContaining(`as before the upgrade: 0 quotes, newest migration ${newest}.\n`),
    errors: '',
  });
});

test('the server refuses quotes while the disk is nearly full, and still answers reads', async () => {
  const FREE = path.join(temporaryDirectory(), 'free');
  const scarce = { FREE, NODE_OPTIONS: preloaded('scarce') };
  const dataDir = await dataDirectory();
  const { server, address } = await startServer(dataDir, scarce);
  const quote = sampleQuote();
  const status = async (row: object) => (await send(address, row)).status;
  expect(await status(quote)).toBe(201);
  writeFileSync(FREE, '40');
  expect(await status(sampleQuote())).toBe(503);
  const quotes = (...words: string[]) => runQuotes({ DATA_DIR: dataDir }, ...words);
  expect((await quotes()).output).toContain(quote.nombre);
  const hiring = await runScript('staff', { DATA_DIR: dataDir }, ['add', 'ana@ejemplo.mx']);
  expect(hiring.code).toBe(1);
  expect(hiring.errors).toMatch(/^The account could not be made: The disk is nearly full/);
  // 60 MB of free space are enough to accept quotes, but not to rewrite the files from which a quote is erased.
  writeFileSync(FREE, '60');
  expect(await status(sampleQuote())).toBe(201);
  await quotes('block', quote.id);
  expect((await quotes('purge', quote.id)).errors).toMatch(/^Nothing was erased: The disk is nearly full/);
  expect(await status(sampleQuote())).toBe(201);
  rmSync(FREE);
  expect((await quotes('purge', quote.id)).code).toBe(0);
  expect(await status(sampleQuote())).toBe(201);
  await server.end('SIGTERM');
  expect(server.errors).toMatch(/^THE DISK IS FULL: .*\nThe disk has space again: quotes are stored\.\n$/);
});

test('the server limits the refused requests of an IP address', async () => {
  const limits = readLimits({ LIMIT_REFUSED_PER_ADDRESS: '1' });
  const backend = await openBackend({ dataDir: await dataDirectory(), limits, publishableKey: 'public' });
  // The counter of refused requests falls steadily, so soon after one refusal it is just below the limit of 1. After
  // two refusals it stays above the limit for the rest of the test.
  for (let host = 1, refused = 0; refused < 2; host += 1)
    if ((await insert(backend, { peso: 0 }, `2001:db8::${host}`)) === 400) refused += 1;
  const stopped = await inserted(backend, { peso: 0 }, '2001:db8::ffff');
  expect([stopped.status, stopped.headers.get('retry-after')]).toEqual([429, '60']);
  expect(await insert(backend, {}, '2001:db8::ffff')).toBe(201);
  expect(await insert(backend, { peso: 0 }, '2001:db8:0:1::1')).toBe(400);

  // Requests with a wrong key and requests from pages of other sites do not count towards the limit. Otherwise another
  // site could use up a visitor’s limit.
  const ask = async (headers: Record<string, string>, query = '') =>
    (await backend.answer(new Request(`http://localhost/rest/v1/quotes${query}`, { headers }), '203.0.113.1')).status;
  for (let times = 0; times < 5; times += 1) {
    expect(await ask({})).toBe(401);
    expect(await ask({}, '?apikey=public&wrong=1')).toBe(401);
    expect(await ask({ apikey: 'public', 'sec-fetch-site': 'cross-site' }, '?wrong=1')).toBe(403);
  }
  expect(await insert(backend, { peso: 0 })).toBe(400);

  const before = await count(backend);
  expect(await insert(backend, {}, '203.0.113.2', { 'content-encoding': 'br' })).toBe(415);
  expect(await count(backend)).toBe(before);
  expect(await insert(backend, {}, '203.0.113.2', { 'content-encoding': 'identity' })).toBe(201);
  await backend.close();
});

async function inserted(backend: Backend, values = {}, address = '203.0.113.1', more = {}): Promise<Response> {
  const headers = { apikey: 'public', 'content-type': 'application/json', ...more };
  const request = new Request('http://localhost/rest/v1/quotes', {
    method: 'POST',
    headers,
    body: JSON.stringify(sampleQuote(values)),
  });
  return backend.answer(request, address);
}

const insert = async (...asked: Parameters<typeof inserted>) => (await inserted(...asked)).status;

async function count(backend: Backend, apikey?: string): Promise<number> {
  const headers = { apikey: apikey ?? (await backend.serviceKey()) };
  const request = new Request('http://localhost/rest/v1/quotes', { headers });
  return ((await (await backend.answer(request, '')).json()) as unknown[]).length;
}
