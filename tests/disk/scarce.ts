import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** Loaded before a process (`node --import`): where the file FREE is there, so many megabytes are free, and no more. */
const file = process.env['FREE']!;
const { existsSync, readFileSync, statfsSync } = fs;
fs.statfsSync = ((folder: string) =>
  existsSync(file)
    ? { bavail: Number(readFileSync(file, 'utf8')), bsize: 1024 * 1024 }
    : statfsSync(folder)) as unknown as typeof statfsSync;
syncBuiltinESMExports();
