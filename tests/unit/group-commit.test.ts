import { expect, test, vi } from 'vitest';
import { inGroups } from '../../server/database/group-commit.ts';

/** Makes a substitute for the database, whose requests end when the test calls `end`. `happened` lists the events. */
function disk(keeper = () => 'thread') {
  const happened: string[] = [];
  const ends = new Map<string, () => void>();
  const inTurn = inGroups({
    sync: async () => void happened.push('sync'),
    keeper,
    lost: () => new Error('lost'),
  });
  const ask = async (name: string, writes: boolean) => {
    const carryOut = () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      happened.push(`${name} begins`);
      ends.set(name, resolve);
      return promise;
    };
    await inTurn({ carryOut, writes });
    happened.push(`${name} ends`);
  };
  const end = (name: string) => vi.waitFor(() => ends.get(name)!());
  return { happened, write: (name: string) => ask(name, true), read: (name: string) => ask(name, false), end };
}

test('simultaneous database writes share one disk sync, and a later read waits for that sync', async () => {
  const { happened, write, read, end } = disk();
  const requests = [write('one'), write('other'), read('look'), write('last')];
  for (const name of ['one', 'other', 'look', 'last']) {
    // Both writes begin before either write ends.
    await vi.waitFor(() => expect(happened).toContain('other begins'));
    await end(name);
  }
  await Promise.all(requests);
  const writes = 'one begins, other begins, sync, one ends, other ends';
  expect(happened.join(', ')).toBe(`${writes}, look begins, look ends, last begins, sync, last ends`);
});

test('a database write is reported as lost if the database restarted before the disk sync', async () => {
  let thread = 'first';
  const { write, end } = disk(() => thread);
  const [one, other] = [write('one'), write('other')];
  const lost = expect(one).rejects.toThrow('lost');
  await end('one');
  await new Promise(setImmediate);
  thread = 'second';
  await end('other');
  await Promise.all([lost, other]);
});
