import { mkdirSync } from 'node:fs';
import { open, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { OperatorError } from '../language.ts';
import { pipeline, Readable } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import { writePieces } from './durable-files.ts';
import { requireSpaceToUnpack } from './disk-space.ts';
import { BLOCK, paddingAfter, readTarHeader, TAR_END, tarHeader } from './tar.ts';

/** File with PostgreSQL's last checkpoint. A starting PostgreSQL replays the log from that checkpoint. */
const CONTROL = 'global/pg_control';
const LOG = 'pg_wal';
const PIECE = 65_536;

/**
 * Archives the folder of a running database as a compressed tar. Its files may be of different moments: PostgreSQL's
 * log, which is archived last, repairs them when a database starts from the archive. `syncLog` puts the log on disk.
 * Throws if PostgreSQL makes a checkpoint during this, which may remove a needed part of the log.
 */
export function archiveFolder(folder: string, syncLog = async () => {}): Readable {
  return pipeline(Readable.from(tarOf(folder, syncLog)), createGzip({ level: 1 }), () => undefined);
}

async function* tarOf(folder: string, syncLog: () => Promise<void>): AsyncGenerator<Uint8Array> {
  const control = await readFile(path.join(folder, CONTROL));
  const folders = await namesIn(folder, 'folder');
  for (const name of folders) yield tarHeader({ name, size: 0, kind: 'folder' });
  yield tarHeader({ name: CONTROL, size: control.length, kind: 'file' });
  yield* [control, paddingAfter(control.length)];
  const isCopied = (name: string) => name !== CONTROL && !name.startsWith(`${LOG}/`);
  for (const name of (await namesIn(folder, 'file')).filter(isCopied)) yield* fileAsTar(folder, name);
  await syncLog();
  const segments = await namesIn(path.join(folder, LOG), 'file');
  for (const name of segments) yield* fileAsTar(folder, `${LOG}/${name}`);
  if (!control.equals(await readFile(path.join(folder, CONTROL))))
    throw new OperatorError({
      es: 'la base de datos escribió un punto de control mientras tanto',
      en: 'the database wrote a checkpoint meanwhile',
    });
  yield TAR_END;
}

async function namesIn(folder: string, kind: 'file' | 'folder'): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const wanted = entries.filter((entry) => (kind === 'file' ? entry.isFile() : entry.isDirectory()));
  return wanted
    .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)).replaceAll(path.sep, '/'))
    .toSorted();
}

/** Archives a file with its current size. Bytes that are added later are missing, but the log contains them too. */
async function* fileAsTar(folder: string, name: string): AsyncGenerator<Uint8Array> {
  const file = await open(path.join(folder, name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  // PostgreSQL may have deleted the file since the folder was listed. PostgreSQL's log, which is archived too, repeats
  // the deletion.
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
/**
 * Maximum number of unpacked bytes for each byte of an archive. A new database is about ten times as large as its
 * archive.
 */
const MOST_EXPANSION = 32;
/** Unpacked bytes that are allowed for an archive of any size, in addition to MOST_EXPANSION. */
const ALLOWANCE = 512 * MEGABYTE;
/** Maximum number of files in an archive. A database has about 1,100. */
const MOST_FILES = 20_000;
const NAME = /^(?!.*\.\.)\w[\w./-]*$/;

/**
 * Unpacks an archive into a folder. `bytes`: size of the archive, if a stranger may have made it. The unpacked size is
 * then limited in proportion, because a small archive could otherwise fill the disk.
 */
export async function unpack(archive: Readable, folder: string, bytes = Infinity): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { read, pieces } = createReader(pipeline(archive, createGunzip(), () => undefined));
  const most = ALLOWANCE + MOST_EXPANSION * bytes;
  let [files, sum] = [0, 0];
  try {
    for (let entry = await read(BLOCK); !isEnd(entry); entry = await read(BLOCK)) {
      const { name, size, kind } = readTarHeader(entry);
      files += 1;
      sum += BLOCK + size;
      if (!NAME.test(name))
        throw new OperatorError({
          es: `${name} no es un archivo de una base de datos`,
          en: `${name} is not a file of a database`,
        });
      if (sum > most || files > MOST_FILES)
        throw new OperatorError({
          es: `ocuparía más de ${Math.round(most / MEGABYTE)} MB, lo que ningún respaldo de su tamaño ocupa`,
          en: `it unpacks to more than ${Math.round(most / MEGABYTE)} MB, which no backup of its size does`,
        });
      const place = path.join(folder, name);
      if (kind === 'folder') mkdirSync(place, { mode: 0o700 });
      else {
        requireSpaceToUnpack(folder, size);
        await writePieces(place, pieces(size));
        await read(paddingAfter(size).length);
      }
    }
    // The archive is read to its end, because gzip has its checksum there.
    let tail = 0;
    for await (const { length } of pieces(Infinity))
      if ((tail += length) > BLOCK)
        throw new OperatorError({ es: 'continúa después de su final', en: 'it continues after its end' });
  } finally {
    archive.destroy();
  }
}

const isEnd = (block: Uint8Array) => block.length === BLOCK && block.every((byte) => byte === 0);

function createReader(source: Readable) {
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let rest: Buffer = Buffer.alloc(0);

  /** Yields the next `size` bytes in pieces, fewer if the source ends. */
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
