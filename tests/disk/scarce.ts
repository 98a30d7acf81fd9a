import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** Preload (`node --import`): the file FREE has the number of free megabytes that the disk reports. */
const file = process.env['FREE']!;
const { existsSync, readFileSync, statfsSync } = fs;
fs.statfsSync = ((folder: string) =>
  existsSync(file)
    ? { bavail: Number(readFileSync(file, 'utf8')), bsize: 1024 * 1024 }
    : statfsSync(folder)) as unknown as typeof statfsSync;
syncBuiltinESMExports();
