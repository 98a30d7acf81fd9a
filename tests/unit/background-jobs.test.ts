import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { waitForAll } from '../../server/background-jobs.ts';

test('a background job that fails to stop does not end the wait for the other jobs', async () => {
  let isOver = false;
  const slow = wait(20).then(() => void (isOver = true));
  await expect(waitForAll([Promise.reject(new Error('no stop')), undefined, slow])).rejects.toThrow('no stop');
  expect(isOver).toBe(true);
});
