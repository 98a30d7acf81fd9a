import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** Preload (`node --import`) that simulates a full disk. The file at the path FREE says how many megabytes are free. */
const file = process.env['FREE']!;
const { existsSync, readFileSync, statfsSync } = fs;
fs.statfsSync = ((folder: string) =>
  existsSync(file)
    ? { bavail: Number(readFileSync(file, 'utf8')), bsize: 1024 * 1024 }
    : statfsSync(folder)) as unknown as typeof statfsSync;
syncBuiltinESMExports();
