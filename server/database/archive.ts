import { mkdirSync } from 'node:fs';
import { open, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import { writePieces } from './durable-files.ts';
import { requireSpaceToUnpack } from './disk-space.ts';
import { BLOCK, paddingAfter, readTarHeader, TAR_END, tarHeader } from './tar.ts';

/** The file in which PostgreSQL notes its last checkpoint, from which a start reads the log. */
const CONTROL = 'global/pg_control';
const LOG = 'pg_wal';
const PIECE = 65_536;

/**
 * The folder of a database as a compressed tar, a piece of a file at a time, also while it takes writes: as PostgreSQL's
 * own base backup, files may be of different moments, and a start of the copy makes them one state, from the checkpoint
 * before the first file to the end of the log, which is copied last. `settle` puts the log on disk. Fails if another
 * checkpoint comes before the end: it may remove the log.
 */
export function packed(folder: string, settle = async () => {}): Readable {
  return pipeline(Readable.from(tarOf(folder, settle)), createGzip({ level: 1 }), () => undefined);
}

async function* tarOf(folder: string, settle: () => Promise<void>): AsyncGenerator<Uint8Array> {
  const control = await readFile(path.join(folder, CONTROL));
  const folders = await namesIn(folder, 'folder');
  for (const name of folders) yield tarHeader({ name, size: 0, kind: 'folder' });
  yield tarHeader({ name: CONTROL, size: control.length, kind: 'file' });
  yield* [control, paddingAfter(control.length)];
  const isCopied = (name: string) => name !== CONTROL && !name.startsWith(`${LOG}/`);
  for (const name of (await namesIn(folder, 'file')).filter(isCopied)) yield* fileAsTar(folder, name);
  await settle();
  const segments = await namesIn(path.join(folder, LOG), 'file');
  for (const name of segments) yield* fileAsTar(folder, `${LOG}/${name}`);
  if (!control.equals(await readFile(path.join(folder, CONTROL))))
    throw new Error('the files of the database were written anew meanwhile');
  yield TAR_END;
}

async function namesIn(folder: string, kind: 'file' | 'folder'): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const wanted = entries.filter((entry) => (kind === 'file' ? entry.isFile() : entry.isDirectory()));
  return wanted
    .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)).replaceAll(path.sep, '/'))
    .toSorted();
}

/** The bytes that the file has now: the log has what comes later. */
async function* fileAsTar(folder: string, name: string): AsyncGenerator<Uint8Array> {
  const file = await open(path.join(folder, name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  // The log has that it went.
  if (!file) return;
  try {
    const { size } = await file.stat();
    yield tarHeader({ name, size, kind: 'file' });
    for (let at = 0; at < size; at += PIECE) {
      const piece = Buffer.alloc(Math.min(PIECE, size - at));
      await file.read(piece, 0, piece.length, at);
      yield piece;
    }
    yield paddingAfter(size);
  } finally {
    await file.close();
  }
}

const MEGABYTE = 1024 * 1024;
/** A new database unpacks to ten times its bytes, pictures to hardly more than theirs. */
const MOST_TIMES = 32;
const MOST_BESIDE = 512 * MEGABYTE;
/** A database has some 1,100. */
const MOST_FILES = 20_000;
const NAME = /^(?!.*\.\.)\w[\w./-]*$/;

/**
 * Unpacks into a folder, a piece at a time. `bytes` is the size of the archive if a stranger may have made it: what
 * announces more than a store of that size can hold is refused before it is written.
 */
export async function unpack(archive: Readable, folder: string, bytes = Infinity): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { read, pieces } = createReader(pipeline(archive, createGunzip(), () => undefined));
  const most = MOST_BESIDE + MOST_TIMES * bytes;
  let [files, sum] = [0, 0];
  try {
    for (let entry = await read(BLOCK); !isEnd(entry); entry = await read(BLOCK)) {
      const { name, size, kind } = readTarHeader(entry);
      files += 1;
      sum += BLOCK + size;
      if (!NAME.test(name)) throw new Error(`${name} is no file of a database`);
      if (sum > most || files > MOST_FILES)
        throw new Error(`It unpacks to more than ${Math.round(most / MEGABYTE)} MB, which no backup of its size does`);
      const place = path.join(folder, name);
      if (kind === 'folder') mkdirSync(place, { mode: 0o700 });
      else {
        requireSpaceToUnpack(folder, size);
        await writePieces(place, pieces(size));
        await read(paddingAfter(size).length);
      }
    }
    // The sum of the archive stands behind its end.
    let tail = 0;
    for await (const { length } of pieces(Infinity))
      if ((tail += length) > BLOCK) throw new Error('It goes on behind its end');
  } finally {
    archive.destroy();
  }
}

const isEnd = (block: Uint8Array) => block.length === BLOCK && block.every((byte) => byte === 0);

function createReader(source: Readable) {
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let rest: Buffer = Buffer.alloc(0);

  /** The next `size` bytes, in the pieces in which they come; fewer if the source ends. */
  async function* pieces(size: number): AsyncGenerator<Buffer> {
    for (let left = size; left > 0;) {
      if (rest.length === 0) {
        const { value, done } = await chunks.next();
        if (done) return;
        rest = value;
      }
      const piece = rest.subarray(0, Math.min(left, rest.length));
      rest = rest.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }

  async function read(size: number): Promise<Buffer> {
    const all: Buffer[] = [];
    for await (const piece of pieces(size)) all.push(piece);
    return Buffer.concat(all);
  }

  return { pieces, read };
}
