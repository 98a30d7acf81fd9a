import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { requireSpace } from './disk-space.ts';

/** Windows lets nobody sync a folder; its file system writes what changed in one in order. */
export const FOLDERS_CAN_BE_SYNCED = process.platform !== 'win32';

function syncFile(file: string): void {
  const descriptor = openSync(file, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The names in it, and not what the files of those names hold. */
export function syncFolder(folder: string): void {
  if (!FOLDERS_CAN_BE_SYNCED) return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** All of it, each name after what it names. */
export function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) syncTree(place);
    else if (entry.isFile()) syncFile(place);
  }
  syncFolder(folder);
}

export const unfinishedOf = (file: string) => `${file}.part`;

/** On disk in its place when this returns: what stood there before, or this, and never a part of it. */
export function writeWhole(file: string, contents: string | Uint8Array): void {
  const unfinished = unfinishedOf(file);
  rmSync(unfinished, { force: true });
  try {
    writeFileSync(unfinished, contents, { mode: 0o600, flush: true });
    moveWhole(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/** The same for what comes in pieces. The file has another name until all of them are on disk. */
export async function writePiecesWhole(
  file: string,
  pieces: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<void> {
  const unfinished = unfinishedOf(file);
  rmSync(unfinished, { force: true });
  try {
    await writePieces(unfinished, pieces, signal);
    moveWhole(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/**
 * Bytes between two syncs of a long file: the log of a database on the same disk waits for whatever of another file is to
 * be written, and so do quotes.
 */
const SYNC_EVERY = 8 * 1024 * 1024;

/** A new file, on disk when this resolves. Throws before the disk is full. */
export async function writePieces(
  file: string,
  pieces: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    let unsynced = 0;
    for await (const piece of pieces) {
      signal?.throwIfAborted();
      await handle.writeFile(piece);
      unsynced += piece.byteLength;
      if (unsynced < SYNC_EVERY) continue;
      await handle.datasync();
      unsynced = 0;
      // Quotes come first: a database on the same disk needs what is left.
      requireSpace(path.dirname(file));
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A file that is moved must be on disk by itself. */
export function moveWhole(from: string, to: string): void {
  renameSync(from, to);
  syncFolder(path.dirname(to));
}
