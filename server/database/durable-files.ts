import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

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

/** On disk in its place when this returns: what stood there before, or this, and never a part of it. */
export function writeWhole(file: string, contents: string | Uint8Array): void {
  const unfinished = `${file}.part`;
  rmSync(unfinished, { force: true });
  try {
    writeFileSync(unfinished, contents, { mode: 0o600, flush: true });
    moveWhole(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/** A file that is moved must be on disk by itself. */
export function moveWhole(from: string, to: string): void {
  renameSync(from, to);
  syncFolder(path.dirname(to));
}
