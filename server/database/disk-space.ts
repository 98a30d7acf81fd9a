import { readdirSync, statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import { databaseError } from './watched-thread.ts';

const MEGABYTE = 1024 * 1024;
/**
 * Where its log cannot grow, PGlite neither fails nor returns: it blocks its whole thread. The log
 * grows by 16 MB at a time, so writing stops while there is still room for that.
 */
export const RESERVE = 48 * MEGABYTE;
export const NEW_DATABASE = 40 * MEGABYTE;
export const DISK_FULL = '53100';

/** Fails as PostgreSQL does when a disk is full. */
export function requireSpace(folder: string, bytes = RESERVE): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < bytes)
    throw databaseError(
      DISK_FULL,
      `The disk is nearly full: less than ${bytes / MEGABYTE} MB are free for the database`,
    );
}

/** A copy of a database, beside it, must leave the room that it needs itself. */
export function requireSpaceForCopy(folder: string): void {
  requireSpace(path.dirname(folder), RESERVE + sizeOf(folder));
}

/** What is unpacked beside its place must leave it as well. */
export function requireSpaceToUnpack(folder: string, bytes: number): void {
  requireSpace(folder, RESERVE + inMegabytes(bytes));
}

/** To forget what was deleted, tables are written anew, and all of it to the log as well. */
export function requireSpaceToForget(folder: string): void {
  requireSpace(folder, RESERVE + 2 * sizeOf(folder));
}

export function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  // A part of its log may go meanwhile.
  const sizes = files.map(
    ({ parentPath, name }) => statSync(path.join(parentPath, name), { throwIfNoEntry: false })?.size,
  );
  const bytes = sizes.reduce<number>((sum, size = 0) => sum + size, 0);
  return inMegabytes(bytes);
}

export const inMegabytes = (bytes: number) => Math.ceil(bytes / MEGABYTE) * MEGABYTE;
