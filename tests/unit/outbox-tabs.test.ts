import { beforeEach, describe, expect, test, vi } from 'vitest';
import { DAY, deliveredAt, NOW, outbox, phone, SECOND, someQuote, usePhone, waitingSince } from './phone.ts';

usePhone();

const fresh = { corrects: false };
const delivered = () => ({ kind: 'delivered', at: phone.now }) as const;

/** Moves the clock in steps, so that each waiting tab can act several times. */
async function pass(milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 250) {
    phone.now += 250;
    await vi.advanceTimersByTimeAsync(250);
    await phone.settle();
  }
}

/** Simulates a page without HTTPS, which has no Web Locks. */
function lockByNote(): void {
  vi.stubGlobal('navigator', {});
  vi.useFakeTimers({ toFake: ['setTimeout'] });
}

describe.each([
  ['with Web Locks', true],
  ['with a lock note in the database', false],
])('%s', (_how, hasLocks) => {
  beforeEach(() => void (hasLocks || lockByNote()));

  test('three tabs that send at the same time send each quote once', async () => {
    const tabs = [0, 1, 2].map((tab) => phone.openTab(tab));
    const entries = Array.from({ length: 7 }, (_, index) => waitingSince(NOW - index));
    await phone.keep(...entries);
    phone.ends = undefined;
    const answered = new Set<unknown>();
    const flushed = Promise.all(tabs.map((tab) => tab.flush('sign-of-life')));
    for (let round = 0; round < 12; round += 1) {
      await (hasLocks ? phone.settle() : pass(250));
      const open = phone.tries.filter((one) => !answered.has(one));
      expect(new Set(open.map(({ tab }) => tab)).size).toBeLessThanOrEqual(1);
      for (const one of open) {
        answered.add(one);
        one.answer(delivered());
      }
    }
    await flushed;
    expect(phone.tries.map(({ quote }) => quote.id).toSorted()).toEqual(entries.map(({ id }) => id).toSorted());
  });
  test('a quote that failed in one tab is sent by a tab waiting for its turn', async () => {
    const [one, other] = [phone.openTab(1), phone.openTab(2)];
    await one.add(someQuote(), fresh);
    phone.ends = undefined;
    const first = one.flush('due');
    await phone.tried(1);
    const second = other.flush('sign-of-life');
    await phone.settle();
    expect(phone.tries).toHaveLength(1);
    phone.ends = delivered;
    phone.tries[0]!.answer({ kind: 'unreachable' });
    await first;
    if (!hasLocks) await pass(500);
    expect(await second).toHaveLength(1);
    expect(phone.tries.map(({ tab }) => tab)).toEqual([1, 2]);
  });
});

describe('tabs that lock sending by a note in the database, without Web Locks', () => {
  beforeEach(lockByNote);

  /** Makes the first tab begin to send a quote. `late` resolves with the result of that flush. */
  async function begin() {
    phone.ends = undefined;
    const quote = someQuote();
    const { id } = await outbox.add(quote, fresh);
    const flushed = outbox.flush('due');
    await phone.tried(1);
    return { id, quote, late: () => flushed };
  }

  test('another tab sends the quotes of a closed tab when the closed tab’s lock note expires', async () => {
    const { id } = await begin();
    // The first tab closes before its answer arrives, so its lock note stays in the database.
    const heirs = [phone.openTab(1), phone.openTab(2)].map((tab) => tab.flush('sign-of-life'));
    await pass(29 * SECOND);
    // Other tabs do not send until the note expires, because the closed tab’s request may still arrive.
    expect(phone.tries).toHaveLength(1);
    await pass(2 * SECOND);
    expect(phone.tries).toHaveLength(2);
    // The second tab is sending now, so the third tab waits.
    await pass(5 * SECOND);
    expect(phone.tries).toHaveLength(2);
    phone.tries[1]!.answer(delivered());
    await pass(SECOND);
    const settled = await Promise.all(heirs);
    expect(settled.flat()).toMatchObject([{ id, state: { kind: 'delivered' } }]);
    expect(phone.tries).toHaveLength(2);
  });

  test.each([
    { shared: true, outcome: { kind: 'unreachable' } },
    { shared: false, outcome: { kind: 'unreachable' } },
    { shared: false, outcome: { kind: 'delivered', at: NOW } },
  ] as const)('another tab’s delivery stays if a frozen tab gets a late outcome: %o', async ({ shared, outcome }) => {
    const heir = phone.openTab(1);
    await outbox.setShared(shared);
    const { id, late } = await begin();
    const flushed = heir.flush('sign-of-life');
    await pass(31 * SECOND);
    phone.tries[1]!.answer(delivered());
    await flushed;
    await heir.claim([id], 'announced');
    const delivery = await heir.entries();
    expect(delivery).toMatchObject([{ state: { kind: 'delivered', announced: true } }]);
    phone.tries[0]!.answer(outcome);
    expect(await late()).toEqual([]);
    expect(await heir.entries()).toEqual(delivery);
  });

  test('a late response to the original quote does not undo a correction in another tab', async () => {
    const heir = phone.openTab(1);
    const { id, quote, late } = await begin();
    const flushed = heir.flush('sign-of-life');
    await pass(31 * SECOND);
    phone.tries[0]!.answer({ kind: 'unreachable' });
    await late();
    // The quote cannot be removed, because the second tab is sending it.
    expect(await heir.remove(id)).toBeUndefined();
    // Within 26 s the form stops waiting for a slow server, so the visitor can then correct the quote.
    await pass(26 * SECOND);
    const corrected = { ...quote, empresa: 'Frutas del Valle' };
    await heir.add(corrected, { corrects: true });
    phone.tries[1]!.answer(delivered());
    expect(await flushed).toEqual([]);
    expect(await heir.entries()).toMatchObject([{ quote: corrected, state: { kind: 'waiting' } }]);
    phone.ends = delivered;
    expect(await heir.flush('due')).toMatchObject([{ quote: corrected }]);
  });

  test('a tab removes its lock note after sending, even if the send failed', async () => {
    await outbox.add(someQuote(), fresh);
    await outbox.flush('due');
    expect(await phone.setting('lease')).toBeUndefined();
    await phone.keep(waitingSince(1));
    phone.ends = () => {
      throw new Error('as a build that went wrong');
    };
    await expect(outbox.flush('due')).rejects.toThrow('went wrong');
    expect(await phone.setting('lease')).toBeUndefined();
  });

  test('a clock set back by a day does not prolong a closed tab’s lock note', async () => {
    await begin();
    phone.now -= DAY;
    void phone.openTab(1).flush('sign-of-life');
    await pass(SECOND);
    expect(phone.tries).toHaveLength(2);
  });

  test('a tab sends even if the disk is too full for its lock note', async () => {
    await outbox.add(someQuote(), fresh);
    const empty = phone.fillUp();
    expect(await outbox.flush('due')).toMatchObject([{ state: { kind: 'delivered' } }]);
    empty();
  });
});

test('a tab takes the lock from a frozen page, and sends', async () => {
  await phone.keep(waitingSince(NOW));
  const frozen = navigator.locks.request('quotes-flush', () => new Promise(() => {})).catch(() => 'lost');
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort(new DOMException('', 'TimeoutError')));
  expect(await phone.openTab().flush('due')).toHaveLength(1);
  expect(await frozen).toBe('lost');
});

test('a flush that changes nothing is not announced to other tabs', async () => {
  await phone.keep(deliveredAt(NOW));
  const onMessage = vi.fn();
  const channel = phone.openChannel();
  channel.addEventListener('message', onMessage);
  await outbox.flush('due');
  // The outbox collects changes for 50 ms before it announces them.
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(onMessage).not.toHaveBeenCalled();
  await outbox.setShared(true);
  await vi.waitUntil(() => onMessage.mock.calls.length === 1);
  channel.close();
});
