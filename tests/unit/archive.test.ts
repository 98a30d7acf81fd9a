import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { archiveFolder, unpack } from '../../server/database/archive.ts';
import { paddingAfter, TAR_END, tarHeader } from '../../server/database/tar.ts';
import { scratchFolder } from '../scratch.ts';

let folder: string;
let to: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(scratchFolder(), 'archive-'));
  to = path.join(folder, 'to');
});
afterEach(() => rmSync(folder, { recursive: true }));

const MEGABYTE = 1024 * 1024;
const archiveOf = (...entries: [name: string, size: number, content?: Uint8Array][]) => {
  const blocks = entries.flatMap(([name, size, content = new Uint8Array(0)]) => [
    tarHeader({ name, size, kind: 'file' }),
    content,
    paddingAfter(content.length),
  ]);
  return gzipSync(Buffer.concat([...blocks, TAR_END]));
};
const unpackAll = (archive: Uint8Array) => unpack(Readable.from([archive]), to, archive.length);

test('an archive restores every file and folder byte by byte', async () => {
  const from = path.join(folder, 'from');
  for (const place of ['global', 'pg_wal/archive_status', 'base/5'])
    mkdirSync(path.join(from, place), { recursive: true });
  const contents = { 'global/pg_control': 8192, 'base/5/17362_fsm': 0, 'base/5/17362': 200_001, 'pg_wal/0001': 70_000 };
  for (const [name, size] of Object.entries(contents)) writeFileSync(path.join(from, name), Buffer.alloc(size, name));
  await unpack(archiveFolder(from), to);
  const namesIn = (place: string) => new Set(readdirSync(place, { recursive: true, encoding: 'utf8' }));
  expect(namesIn(to)).toEqual(namesIn(from));
  for (const name of Object.keys(contents))
    expect(readFileSync(path.join(to, name)).equals(readFileSync(path.join(from, name))), name).toBe(true);
});

test('an archive whose unpacked size is too large is refused before its files fill the disk', async () => {
  await expect(unpackAll(archiveOf(['base/1', 600 * MEGABYTE]))).rejects.toThrow(
    'it unpacks to more than 512 MB, which no backup of its size does',
  );
  expect(existsSync(path.join(to, 'base'))).toBe(false);
  const many = archiveOf(...Array.from({ length: 20_001 }, (_, at): [string, number] => [`f${at}`, 0]));
  await expect(unpack(Readable.from([many]), to)).rejects.toThrow('it unpacks to more than');
});

test.each(['../database', '/etc/passwd', 'base/../../x', 'a b'])('an archive with file %s is refused', async (name) => {
  await expect(unpackAll(archiveOf([name, 1, Buffer.from('x')]))).rejects.toThrow('is not a file of a database');
});

test('an archive that is truncated, changed or followed by more data is refused', async () => {
  const archive = archiveOf(['base', 3, Buffer.from('abc')]);
  for (const wrong of [
    archive.subarray(0, -9),
    archive.with(archive.length - 6, archive.at(-6)! ^ 1),
    gzipSync(Buffer.concat([tarHeader({ name: 'base', size: 9000, kind: 'file' }), Buffer.from('abc')])),
    gzipSync('no tar'),
    gzipSync(Buffer.concat([TAR_END, Buffer.from('more')])),
  ]) {
    rmSync(to, { recursive: true, force: true });
    await expect(unpackAll(wrong)).rejects.toThrow();
  }
});
