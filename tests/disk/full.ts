import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';

/**
 * Preload (`node --import`) that simulates a full disk: of each file in the folder FULL only the first 4 KB are
 * written, then the write fails with ENOSPC.
 */
const PAGE = 4096;
const full = path.resolve(process.env['FULL']!);
const { promises } = fs;
const { open } = promises;

promises.open = async (...parameters) => {
  const handle = await open(...parameters);
  if (path.dirname(path.resolve(String(parameters[0]))) !== full) return handle;
  handle.writeFile = async (content) => {
    await handle.write((content as Uint8Array).subarray(0, PAGE));
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  };
  return handle;
};
syncBuiltinESMExports();
