import {
  existsSync,
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
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { databaseFolderIn, readSecret } from '../../server/database/data-directory.ts';
import { createGate } from '../../server/rest/identity.ts';
import { folioOf } from '../../src/lead/folio.ts';
import { storeFiles } from '../chaos/full-store.ts';
import {
  askAuth,
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
import { storedDirectory } from './stored.ts';

const run = (action: 'backup' | 'restore', dataDir: string, ...parameters: string[]) =>
  runScript('backup', { DATA_DIR: dataDir }, [action, ...parameters]);

const idsIn = async (dataDir: string) => {
  const { output } = await runQuotes({ DATA_DIR: dataDir }, '--json');
  return (JSON.parse(output) as { id: string }[]).map(({ id }) => id).toSorted();
};
const idsOf = (quotes: readonly { readonly id: string }[]) => quotes.map(({ id }) => id).toSorted();
const databasesIn = (dataDir: string) => readdirSync(dataDir).filter((name) => name.startsWith('database'));
const says = (code: number, sentence: string) => ({ code, errors: expect.stringContaining(sentence) as string });

test('a backup of a running server is a single file that restores quotes and accounts', async () => {
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
    output: expect.stringMatching(new RegExp(`^${other} has the 3 quotes of ${file}\\.\n.*Block again by hand`, 's')),
  });
  // Backup and restore never overwrite existing files and databases.
  expect(await run('backup', dataDir, file)).toMatchObject(says(1, 'exists already'));
  expect(await run('restore', other, file)).toMatchObject(says(1, 'nothing was touched'));
  await server.end('SIGTERM');

  const restored = await startServer(other);
  expect(await idsIn(other)).toEqual(idsOf(sent));
  expect((await askAuth(restored.address, 'password', ana)).status).toBe(200);
  // A restored data directory has a new signing key, so sessions signed with the old key are invalid.
  expect((await askAuth(restored.address, 'refresh_token', (await signedIn.json()) as object)).status).toBe(400);
});

test('a killed backup or restore leaves nothing that looks complete, and can be repeated', async () => {
  const { dataDir, sent, file, other } = await storedDirectory();
  rmSync(file);
  const refused = async (from: string, sentence: string) =>
    expect(await run('restore', other, from)).toMatchObject(says(1, sentence));
  await refused(file, 'cannot be read');
  writeFileSync(`${file}.no`, 'no backup');
  await refused(`${file}.no`, `${file}.no is not a complete backup (incorrect header check): nothing was restored.\n`);

  const killed = async (ENDS_AT: string, DATA_DIR: string, action: string) =>
    expect(
      await runProcess('backup', { DATA_DIR, ENDS_AT, NODE_OPTIONS: preloaded('ending') }, [action, file]),
    ).toMatchObject({ code: null });
  await killed('renameSync all.tar.gz.part', dataDir, 'backup');
  expect(existsSync(file)).toBe(false);
  expect(await run('backup', dataDir, file)).toMatchObject({ code: 0, errors: '' });
  writeFileSync(`${file}.cut`, readFileSync(file));
  truncateSync(`${file}.cut`, 1_000_000);
  await refused(`${file}.cut`, 'not a complete backup');
  expect(databasesIn(other)).toEqual([]);
  await killed('openSync global/pg_control', other, 'restore');
  expect(existsSync(databaseFolderIn(other))).toBe(false);
  expect(await run('restore', other, file)).toMatchObject({ code: 0, errors: '' });
  expect(databasesIn(other)).toEqual(['database']);
  expect(await idsIn(other)).toEqual(idsOf(sent));
});

test('a backup under way is cancelled when a quote is erased', async () => {
  const { dataDir, sent, other } = await storedDirectory();
  // Without large files, the buffers between server and test could hold the whole backup. It would then be complete
  // before the quotes below are sent or erased.
  await storeFiles(dataDir, 3);
  const { address } = await startServer(dataDir);
  const archive = await beginBackup(dataDir, address);
  const later = Array.from({ length: 30 }, () => sampleQuote());
  for (const quote of later) expect((await send(address, quote)).status).toBe(201);
  const file = path.join(dataDir, 'all.tar.gz');
  await writeFile(file, archive);
  expect(await run('restore', other, file)).toMatchObject({ code: 0, errors: '' });
  expect(await idsIn(other)).toEqual(expect.arrayContaining(idsOf([...sent, ...later])));

  const ended = await beginBackup(dataDir, address);
  for (const command of ['block', 'purge'])
    expect(await runQuotes({ DATA_DIR: dataDir }, command, folioOf(sent[0]!.id))).toMatchObject({ code: 0 });
  await expect(ended.toArray()).rejects.toThrow('terminated');
});

/** Starts a backup, and waits for its first bytes. */
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

test('the server writes backups to BACKUP_DIR, and keeps the last backup if the disk is full', async () => {
  const BACKUP_DIR = temporaryDirectory();
  const dataDir = await dataDirectory();
  const yesterday = new Date(Date.now() - 25 * 3_600_000).toISOString().slice(0, 19);
  const old = path.join(BACKUP_DIR, `aeropuente-${yesterday.replaceAll(':', '')}.tar.gz`);
  writeFileSync(old, 'of yesterday');
  const full = await startServer(dataDir, { BACKUP_DIR, FULL: BACKUP_DIR, NODE_OPTIONS: preloaded('full') });
  await expect.poll(() => full.server.errors).toContain('NO BACKUP was made: ENOSPC');
  expect(await health(full.address)).toEqual({ at: `${yesterday}.000Z`, ok: false });
  expect((await send(full.address, sampleQuote())).status).toBe(201);
  expect([readdirSync(BACKUP_DIR), readFileSync(old, 'utf8')]).toEqual([[path.basename(old)], 'of yesterday']);
  await full.server.end('SIGTERM');

  rmSync(old);
  const { server, address } = await startServer(dataDir, { BACKUP_DIR });
  const [, file] = await server.says(/Backup: (\S+) contains all quotes/);
  await expect.poll(() => health(address)).toMatchObject({ at: expect.stringMatching(/^20/), ok: true });
  expect(await run('restore', path.join(temporaryDirectory(), 'other'), file!)).toMatchObject({ code: 0 });
});

test('a restore onto a full disk blames the disk, and not the backup', async () => {
  const { file, other } = await storedDirectory();
  const FREE = path.join(temporaryDirectory(), 'free');
  writeFileSync(FREE, '60');
  const environment = { DATA_DIR: other, FREE, NODE_OPTIONS: preloaded('scarce') };
  const full = await runProcess('backup', environment, ['restore', file]);
  expect(full.code).toBe(1);
  expect(full.errors).toMatch(/^The disk is nearly full: less than \d+ MB are free for the database\n$/);
  expect(databasesIn(other)).toEqual([]);
});

test('a restore does not bring back quotes that were erased after the backup', async () => {
  const { dataDir, sent, file } = await storedDirectory();
  const folio = folioOf(sent[0]!.id);
  for (const command of ['block', 'purge'])
    expect(await runQuotes({ DATA_DIR: dataDir }, command, folio)).toMatchObject({ code: 0 });
  renameSync(databaseFolderIn(dataDir), path.join(temporaryDirectory(), 'old'));
  const before = new Date().toISOString();
  const restored = await run('restore', dataDir, file);
  expect(restored).toMatchObject({ code: 0, errors: '' });
  expect(restored.output).toContain('1 of its quotes had been erased after the backup: they are erased again.');
  // The restore reports the date of the newest data. The repeated erasure is newer, and does not count.
  expect(/newest entry in the backup is of (\S+)\. /.exec(restored.output)![1]! < before).toBe(true);
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const { parentPath, name } of files)
    expect(readFileSync(path.join(parentPath, name)).includes(sent[0]!.email)).toBe(false);
  expect(await idsIn(dataDir)).toEqual(idsOf(sent.slice(1)));
});

test('`restore --check` tests a backup without changing the data, and reports a truncated backup', async () => {
  const { dataDir, file } = await storedDirectory();
  const names = () => readdirSync(dataDir).toSorted();
  const before = names();
  expect(await run('restore', dataDir, '--check', file)).toMatchObject({
    code: 0,
    errors: '',
    output: expect.stringMatching(
      /can be restored: 3 quotes, the newest entry of 20\S+Z, 0 accounts\. It was tried elsewhere/,
    ),
  });
  truncateSync(file, statSync(file).size >> 1);
  expect(await run('restore', dataDir, '--check', file)).toMatchObject(says(1, 'is not a complete backup'));
  expect(names()).toEqual(before);
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith('aeropuente-restore-'))).toEqual([]);
});
