import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const IN_MEMORY = '/dev/shm';
const ENOUGH = 4 * 1024 ** 3;

/**
 * Where tests keep the data of their servers: in memory where there is room, for every start and every answer waits for
 * the disk. That it does is proven by power-cut.test.
 */
export function scratchFolder(): string {
  if (!existsSync(IN_MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return bavail * bsize > ENOUGH ? IN_MEMORY : tmpdir();
}
