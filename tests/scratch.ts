import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const IN_MEMORY = '/dev/shm';
const ENOUGH = 4 * 1024 ** 3;

/**
 * Folder for the data of test servers. In memory if there is room, because the server waits for the disk at every
 * start and answer (proven by power-cut.test).
 */
export function scratchFolder(): string {
  if (!existsSync(IN_MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return bavail * bsize > ENOUGH ? IN_MEMORY : tmpdir();
}
