import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** Loaded before a process (`node --import`): while the file FAILING is there, nothing can be synced. */
const { fsyncSync } = fs;
fs.fsyncSync = (descriptor) => {
  if (fs.existsSync(process.env['FAILING']!)) throw Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' });
  fsyncSync(descriptor);
};
syncBuiltinESMExports();
