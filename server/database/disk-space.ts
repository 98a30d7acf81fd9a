import { readdirSync, statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import { databaseError } from './watched-thread.ts';

const MEGABYTE = 1024 * 1024;
/**
 * Free bytes below which nothing is written. PostgreSQL's log grows in steps of 16 MB, and PGlite's thread hangs if the
 * disk has no space for a step.
 */
export const RESERVE = 48 * MEGABYTE;
export const NEW_DATABASE = 40 * MEGABYTE;
export const DISK_FULL = '53100';

/** Throws PostgreSQL's error for a full disk while there is still some space, because PGlite hangs on a full disk. */
export function requireSpace(folder: string, bytes = RESERVE): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < bytes)
    throw databaseError(
      DISK_FULL,
      `The disk is nearly full: less than ${bytes / MEGABYTE} MB are free for the database`,
    );
}

export function requireSpaceForCopy(folder: string): void {
  requireSpace(path.dirname(folder), RESERVE + sizeOf(folder));
}

export function requireSpaceToUnpack(folder: string, bytes: number): void {
  requireSpace(folder, RESERVE + inMegabytes(bytes));
}

/** Requires free space of twice the database's size, because removing deleted rows rewrites the tables and the log. */
export function requireSpaceToForget(folder: string): void {
  requireSpace(folder, RESERVE + 2 * sizeOf(folder));
}

export function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  // PostgreSQL may delete parts of its log after the folder was listed, so a file may be missing.
  const sizes = files.map(
    ({ parentPath, name }) => statSync(path.join(parentPath, name), { throwIfNoEntry: false })?.size,
  );
  const bytes = sizes.reduce<number>((sum, size = 0) => sum + size, 0);
  return inMegabytes(bytes);
}

export const inMegabytes = (bytes: number) => Math.ceil(bytes / MEGABYTE) * MEGABYTE;
