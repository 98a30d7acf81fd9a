import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { requireSpace } from './disk-space.ts';

/**
 * False on Windows, which refuses to sync folders. Windows does not need it, because its file system keeps the order of
 * changes.
 */
export const FOLDERS_CAN_BE_SYNCED = process.platform !== 'win32';

function syncFile(file: string): void {
  const descriptor = openSync(file, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Syncs the names of the files in a folder, but not their contents. */
export function syncFolder(folder: string): void {
  if (!FOLDERS_CAN_BE_SYNCED) return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Syncs a folder with its files. Each file is synced before its name. */
export function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) syncTree(place);
    else if (entry.isFile()) syncFile(place);
  }
  syncFolder(folder);
}

export const unfinishedOf = (file: string) => `${file}.part`;

/** Writes and syncs a file. After a power cut it has either the old content or the new one. */
export function writeAtomically(file: string, contents: string | Uint8Array): void {
  const unfinished = unfinishedOf(file);
  rmSync(unfinished, { force: true });
  try {
    writeFileSync(unfinished, contents, { mode: 0o600, flush: true });
    moveDurably(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/** Writes a file in pieces. The file has another name until all pieces are synced. */
export async function streamAtomically(
  file: string,
  pieces: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<void> {
  const unfinished = unfinishedOf(file);
  rmSync(unfinished, { force: true });
  try {
    await writePieces(unfinished, pieces, signal);
    moveDurably(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/** Bytes between two syncs of a long file. A longer sync would delay a database on the same disk. */
const SYNC_EVERY = 8 * 1024 * 1024;

/** Writes and syncs a new file. Throws before the disk is full. */
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
      // The last free bytes of the disk are reserved for new quotes in the database.
      requireSpace(path.dirname(file));
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Renames a file or folder that is already synced, and syncs the new name. */
export function moveDurably(from: string, to: string): void {
  renameSync(from, to);
  syncFolder(path.dirname(to));
}
