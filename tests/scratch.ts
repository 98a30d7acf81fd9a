import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const IN_MEMORY = '/dev/shm';
const ENOUGH = 4 * 1024 ** 3;

/**
 * Returns a folder for the data of test servers: in memory if there is room, because a server waits for a real disk at
 * every start and before every answer.
 */
export function scratchFolder(): string {
  if (!existsSync(IN_MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return bavail * bsize > ENOUGH ? IN_MEMORY : tmpdir();
}
