import { readdirSync, statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import { databaseError } from './watched-thread.ts';

const MEGABYTE = 1024 * 1024;
/** Free bytes below which nothing is written: PGlite blocks its thread if its log cannot grow, by 16 MB at a time. */
export const RESERVE = 48 * MEGABYTE;
export const NEW_DATABASE = 40 * MEGABYTE;
export const DISK_FULL = '53100';

/** Throws PostgreSQL's error for a full disk, before PGlite meets one. */
export function requireSpace(folder: string, bytes = RESERVE): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < bytes)
    throw databaseError(
      DISK_FULL,
      `The disk is nearly full: less than ${bytes / MEGABYTE} MB are free for the database`,
    );
}

/** Requires space for a copy of a database beside it, and for the database's own log. */
export function requireSpaceForCopy(folder: string): void {
  requireSpace(path.dirname(folder), RESERVE + sizeOf(folder));
}

export function requireSpaceToUnpack(folder: string, bytes: number): void {
  requireSpace(folder, RESERVE + inMegabytes(bytes));
}

/** Requires twice the database's size: to remove deleted rows, tables are rewritten, and so is the log. */
export function requireSpaceToForget(folder: string): void {
  requireSpace(folder, RESERVE + 2 * sizeOf(folder));
}

export function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  // PostgreSQL may delete parts of its log at any time.
  const sizes = files.map(
    ({ parentPath, name }) => statSync(path.join(parentPath, name), { throwIfNoEntry: false })?.size,
  );
  const bytes = sizes.reduce<number>((sum, size = 0) => sum + size, 0);
  return inMegabytes(bytes);
}

export const inMegabytes = (bytes: number) => Math.ceil(bytes / MEGABYTE) * MEGABYTE;
