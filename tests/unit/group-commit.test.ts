import { expect, test, vi } from 'vitest';
import { inGroups } from '../../server/database/group-commit.ts';

/** Work that ends when the test says so, and all that happens, in its order. */
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
    happened.push(`${name} is told`);
  };
  const end = (name: string) => vi.waitFor(() => ends.get(name)!());
  return { happened, write: (name: string) => ask(name, true), read: (name: string) => ask(name, false), end };
}

test('the next write is there before one has ended, they share a sync, and a read waits for it', async () => {
  const { happened, write, read, end } = disk();
  const asked = [write('one'), write('other'), read('look'), write('last')];
  for (const name of ['one', 'other', 'look', 'last']) {
    // Both are with the database before either of them ends.
    await vi.waitFor(() => expect(happened).toContain('other begins'));
    await end(name);
  }
  await Promise.all(asked);
  expect(happened).toEqual([
    'one begins',
    'other begins',
    'sync',
    'one is told',
    'other is told',
    'look begins',
    'look is told',
    'last begins',
    'sync',
    'last is told',
  ]);
});

test('what one thread carried out and another one synced is not told as kept', async () => {
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
