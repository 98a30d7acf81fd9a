import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** Loaded with `node --import`: if the file FREE exists, the disk reports that number of free megabytes. */
const file = process.env['FREE']!;
const { existsSync, readFileSync, statfsSync } = fs;
fs.statfsSync = ((folder: string) =>
  existsSync(file)
    ? { bavail: Number(readFileSync(file, 'utf8')), bsize: 1024 * 1024 }
    : statfsSync(folder)) as unknown as typeof statfsSync;
syncBuiltinESMExports();
