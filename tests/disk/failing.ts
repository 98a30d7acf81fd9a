import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** Preload (`node --import`) that makes every disk sync fail while the file FAILING exists. */
const { fsyncSync } = fs;
fs.fsyncSync = (descriptor) => {
  if (fs.existsSync(process.env['FAILING']!)) throw Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' });
  fsyncSync(descriptor);
};
syncBuiltinESMExports();
