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
export function requireRoom(folder: string, bytes = RESERVE): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < bytes)
    throw databaseError(
      DISK_FULL,
      `The disk is nearly full: less than ${bytes / MEGABYTE} MB are free for the database`,
    );
}

/** A copy of a database, beside it, must leave the room that it needs itself. */
export function requireRoomForCopy(folder: string): void {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(path.join(parentPath, name)).size, 0);
  requireRoom(path.dirname(folder), RESERVE + Math.ceil(bytes / MEGABYTE) * MEGABYTE);
}
