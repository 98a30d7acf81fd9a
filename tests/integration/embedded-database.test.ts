import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { openDatabase, type Database } from '../../server/database/database.ts';
import { migrationsFolder } from '../../server/database/migrate.ts';
import { freshDataDirectory } from '../run-folder.ts';

const ENDLESS = 'with recursive t(n) as (select 1 union all select n + 1 from t) select count(*) from t';

let folder: string;
let database: Database;
const open = () =>
  openDatabase({ folder: path.join(folder, 'database'), migrations: migrationsFolder, afterwards: [] });
beforeAll(async () => {
  folder = await freshDataDirectory();
  database = await open();
  await database.transaction([{ sql: 'create table numbers (n int)' }]);
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => database.transaction([{ sql: 'delete from numbers' }]));

const put = (n: number) => database.transaction([{ sql: 'insert into numbers values ($1)', parameters: [n] }]);
const numbers = async () => {
  const rows = await database.transaction<{ n: number }>([{ sql: 'select n from numbers order by n', parameters: [] }]);
  return rows.map(({ n }) => n);
};

test('an endless SQL statement is ended, and does not block the server', { timeout: 60_000 }, async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  await put(1);
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), 10);
  onTestFinished(() => clearInterval(timer));
  const [all, own] = [process.cpuUsage(), process.threadCpuUsage()];
  const endless = database.transaction([{ sql: ENDLESS, parameters: [] }], { access: 'read', within: 500 });
  const next = put(2);
  await expect(endless).rejects.toMatchObject({ code: '57014' });
  // The endless statement runs in the database’s own thread, so the server’s thread must have used little time.
  const spent = ({ user, system }: NodeJS.CpuUsage) => user + system;
  expect(spent(process.threadCpuUsage(own))).toBeLessThan(spent(process.cpuUsage(all)) / 4);
  expect(ticks).toBeGreaterThan(5);
  await next;
  expect(await numbers()).toEqual([1, 2]);
  // The thread with the endless statement must have ended, so the processor must be idle.
  const busy = async () => {
    const start = process.cpuUsage();
    await new Promise((resolve) => setTimeout(resolve, 300));
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
  await expect.poll(busy, { timeout: 20_000 }).toBeLessThan(100);
});

test('writes waiting behind an endless write fail when that write is ended, and succeed when repeated', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const endless = database.transaction([{ sql: ENDLESS, parameters: [] }], { within: 500 });
  const ends = await Promise.allSettled([endless, put(1), put(2)]);
  expect(ends).toMatchObject(ends.map(() => ({ status: 'rejected', reason: { code: '57P03' } })));
  await Promise.all([put(1), put(2)]);
  expect(await numbers()).toEqual([1, 2]);
});

test('a prepared write still works after failures and after changes of its table', async () => {
  const write = (n: string) =>
    database.transaction([
      { sql: 'insert into numbers values ($1::text::int)', parameters: [n] },
      { sql: 'select * from numbers where n = $1::text::int', parameters: [n] },
    ]);
  await expect(write('none')).rejects.toMatchObject({ code: '22P02' });
  expect(await write('1')).toEqual([{ n: 1 }]);
  await expect(write('none')).rejects.toMatchObject({ code: '22P02' });
  expect(await write('2')).toEqual([{ n: 2 }]);
  await database.transaction([{ sql: 'alter table numbers add s text' }]);
  expect(await write('3')).toEqual([{ n: 3, s: null }]);
  await database.transaction([{ sql: 'alter table numbers drop s' }]);
});

test('a parameter of each type comes back unchanged from the database', async () => {
  const odd = String.raw`{"\a",}`;
  const values = ['', null, odd, [odd, '', 'a,b'], 1.5, true, new Date('2026-11-23T00:00:00Z')];
  const sql = 'select $1::text a, $2::text b, $3::text c, $4::text[] d, $5::float8 e, $6::bool f, $7::timestamptz g';
  const [found] = await database.transaction<object>([{ sql, parameters: values }], { access: 'read' });
  expect(Object.values(found!)).toEqual(values);
});

test('a failed transaction stores no rows, and reports PostgreSQL’s error code and message', async () => {
  await put(1);
  const half = database.transaction([
    { sql: 'insert into numbers values ($1)', parameters: [2] },
    { sql: 'select 1 / 0', parameters: [] },
  ]);
  await expect(half).rejects.toMatchObject({ code: '22012', message: 'division by zero' });
  const written = database.transaction([{ sql: 'insert into numbers values (3)' }], { access: 'read' });
  await expect(written).rejects.toMatchObject({ code: '25006' });
  expect(await numbers()).toEqual([1]);
});

test('a database that is being closed completes waiting statements, and refuses new ones', async () => {
  const waiting = [1, 2, 3].map(put);
  const closed = database.close();
  await Promise.all(waiting);
  await closed;
  await expect(put(4)).rejects.toMatchObject({ code: '57P03' });
  database = await open();
});
