import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';

/** Loaded before a process (`node --import`): in the folder FULL there is room for a name and a page, and no more. */
const PAGE = 4096;
const full = path.resolve(process.env['FULL']!);
const { openSync, closeSync } = fs;
const writeSync = fs.writeSync as (...parameters: unknown[]) => number;
const there = new Set<unknown>();

fs.openSync = (...parameters) => {
  const descriptor = openSync(...parameters);
  if (path.dirname(path.resolve(String(parameters[0]))) === full) there.add(descriptor);
  return descriptor;
};
fs.closeSync = (descriptor) => {
  there.delete(descriptor);
  closeSync(descriptor);
};
fs.writeSync = (descriptor: number, ...parameters: unknown[]) => {
  if (!there.has(descriptor)) return writeSync(descriptor, ...parameters);
  writeSync(descriptor, parameters[0], 0, PAGE);
  throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
};
syncBuiltinESMExports();
