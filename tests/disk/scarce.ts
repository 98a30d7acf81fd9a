import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** Simulates a full disk, as a preload (`node --import`). The file named by FREE has the number of free megabytes. */
const file = process.env['FREE']!;
const { existsSync, readFileSync, statfsSync } = fs;
fs.statfsSync = ((folder: string) =>
  existsSync(file)
    ? { bavail: Number(readFileSync(file, 'utf8')), bsize: 1024 * 1024 }
    : statfsSync(folder)) as unknown as typeof statfsSync;
syncBuiltinESMExports();
