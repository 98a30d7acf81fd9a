import { cpSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { openBackend, type Backend } from '../../server/backend.ts';
import { migrationsFolder } from '../../server/database/migrate.ts';
import { readLimits } from '../../server/settings.ts';
import { dataDirectory, temporaryDirectory } from './processes.ts';
import { sampleQuote } from './sample-quote.ts';

const disk = vi.hoisted(() => ({ free: undefined as number | undefined }));
vi.mock(import('node:fs/promises'), async (original) => {
  const actual = await original();
  const statfs = async (folder: string) =>
    Object.assign(await actual.statfs(folder), disk.free === undefined ? {} : { bavail: disk.free, bsize: 1 });
  return { ...actual, statfs } as unknown as typeof actual;
});

const MEGABYTE = 1024 * 1024;
const open = (dataDir: string, migrations?: string) =>
  openBackend({ dataDir, limits: readLimits({}), anonKey: 'public' }, migrations);

describe('the embedded backend', () => {
  test('keeps its quotes and its key from one start to the next, readable by its owner alone', async () => {
    const dataDir = path.join(temporaryDirectory(), 'deep', 'data');
    const first = await open(dataDir);
    await insert(first);
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

  test('is opened by one at a time, in this process as in any other', async () => {
    const dataDir = await dataDirectory();
    const first = await open(dataDir);
    await expect(open(dataDir)).rejects.toThrow(`Another AeroPuente process is using ${dataDir}.`);
    await first.close();
    await (await open(dataDir)).close();
  });

  test('starts over where an earlier start was killed while making the database', async () => {
    const dataDir = temporaryDirectory();
    mkdirSync(path.join(dataDir, 'database.new', 'base'), { recursive: true });
    writeFileSync(path.join(dataDir, 'database.new', 'PG_VERSION'), '18\n');
    const backend = await open(dataDir);
    expect(await insert(backend)).toBe(201);
    await backend.close();
  });

  test('keeps nothing of a migration that fails, and carries on once it is right', async () => {
    const dataDir = await dataDirectory();
    const migrations = temporaryDirectory();
    cpSync(migrationsFolder, migrations, { recursive: true });
    const broken = path.join(migrations, '20990101000000_broken.sql');
    writeFileSync(broken, 'create table public.half (x int); insert into public.half values (1); select 1 / 0;');
    await expect(open(dataDir, migrations)).rejects.toThrow(
      'The migration 20990101000000_broken.sql failed, and nothing of it was kept: division by zero',
    );
    writeFileSync(broken, 'create table public.half (x int);');
    const backend = await open(dataDir, migrations);
    expect(await insert(backend)).toBe(201);
    await backend.close();
  });

  test('stores nothing and says so while the disk is nearly full, and can still be read', async () => {
    const backend = await open(await dataDirectory());
    await insert(backend);
    disk.free = 40 * MEGABYTE;
    expect(await insert(backend)).toBe(503);
    expect(await count(backend)).toBe(1);
    disk.free = undefined;
    expect(await insert(backend)).toBe(201);
    await backend.close();
  });

  test('does not begin on a disk that is nearly full', async () => {
    const dataDir = temporaryDirectory();
    disk.free = 60 * MEGABYTE;
    await expect(open(dataDir)).rejects.toThrow('The disk is nearly full: less than 88 MB are free for the database');
    disk.free = undefined;
    expect(readdirSync(dataDir)).not.toContain('database');
    await (await open(dataDir)).close();
  });
});

async function insert(backend: Backend): Promise<number> {
  const headers = { apikey: 'public', 'content-type': 'application/json' };
  const request = new Request('http://localhost/rest/v1/quotes', {
    method: 'POST',
    headers,
    body: JSON.stringify(sampleQuote()),
  });
  return (await backend.answer(request, '203.0.113.1')).status;
}

async function count(backend: Backend, apikey?: string): Promise<number> {
  const headers = { apikey: apikey ?? (await backend.serviceKey()) };
  const request = new Request('http://localhost/rest/v1/quotes', { headers });
  return ((await (await backend.answer(request, '')).json()) as unknown[]).length;
}
