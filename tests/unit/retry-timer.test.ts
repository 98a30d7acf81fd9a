import { beforeEach, expect, test, vi } from 'vitest';
import { startRetryTimer } from '../../src/outbox/retry-timer.ts';
import { createQuoteTransact, type QuoteStores, type Transact } from '../../src/outbox/store.ts';
import { MINUTE, NOW, outbox, phone, SECOND, usePhone, waitingSince } from './phone.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: NOW }));
usePhone();

/** Moves the clock on, and waits for the work that becomes due. */
async function after(milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += SECOND) {
    phone.now += SECOND;
    await vi.advanceTimersByTimeAsync(SECOND);
    await phone.settle();
  }
}

test('a retry that becomes due while an attempt ends is not skipped', async () => {
  await phone.keep(waitingSince(NOW));
  phone.ends = () => ({ kind: 'unreachable' });
  // This slow phone takes two seconds to look for due retries after it has stored the first attempt.
  const transact = createQuoteTransact();
  let count = 0;
  const transactSlowly: Transact<QuoteStores> = async (...about) => {
    if (phone.tries.length === 1 && (count += 1) === 3) await new Promise((resolve) => setTimeout(resolve, 2 * SECOND));
    return transact(...about);
  };
  startRetryTimer(phone.openTab(1, transactSlowly))('sign-of-life');
  await phone.settle();
  expect(phone.tries).toHaveLength(1);
  phone.ends = () => ({ kind: 'delivered', at: phone.now });
  await after(30 * SECOND);
  expect(phone.tries).toHaveLength(2);
});

test('a disk that fails for a moment does not stop the retries', async () => {
  await phone.keep(waitingSince(NOW, { nextTry: NOW + 5 * SECOND, trouble: 'retry-after' }));
  let failures = 3;
  const orFail =
    <Given extends unknown[], Result>(work: (...given: Given) => Promise<Result>) =>
    (...given: Given) =>
      phone.now > NOW && failures-- > 0 ? Promise.reject(new Error('The disk is away')) : work(...given);
  startRetryTimer({
    ...outbox,
    flush: orFail((cause) => outbox.flush(cause)),
    entries: orFail(() => outbox.entries()),
  })('sign-of-life');
  await phone.settle();
  await after(MINUTE);
  expect(failures).toBeLessThan(0);
  expect(phone.tries).toHaveLength(1);
});

test('a retry timer that fires a millisecond early is set again', async () => {
  await phone.keep(waitingSince(NOW, { nextTry: NOW + 5 * SECOND + 0.6, trouble: 'retry-after' }));
  startRetryTimer(outbox)('sign-of-life');
  await phone.settle();
  await after(30 * SECOND);
  expect(phone.tries).toHaveLength(1);
});

/** Opens the phone’s database without the outbox, like another build of the page. */
const opened = (version?: number) =>
  new Promise<IDBDatabase>((resolve) => {
    const request = indexedDB.open('aeropuente', version);
    request.addEventListener('success', () => resolve(request.result));
  });

/** Reads the names of the stores and the version of the database in a transaction. */
const look = (transact: Transact<QuoteStores>) =>
  transact('settings', 'readonly', async ({ transaction: { db } }) => ({
    stores: [...db.objectStoreNames],
    version: db.version,
  }));

test('a phone’s database that fails to open within three seconds is tried at the next use', async () => {
  const tab = await opened(1);
  indexedDB.deleteDatabase('aeropuente');
  const transact = createQuoteTransact();
  const failed = vi.fn();
  look(transact).catch(failed);
  await vi.advanceTimersByTimeAsync(2999);
  expect(failed).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(failed).toHaveBeenCalledOnce();
  tab.close();
  expect((await look(transact)).stores).toEqual(['quotes', 'settings']);
});

test('the outbox opens the phone’s database again after another release deleted that database', async () => {
  const transact = createQuoteTransact();
  await look(transact);
  await new Promise((resolve) => indexedDB.deleteDatabase('aeropuente').addEventListener('success', resolve));
  expect(await look(transact)).toEqual({ stores: ['quotes', 'settings'], version: 1 });
});

test('the outbox uses a database of a newer build without changing its version number', async () => {
  await look(createQuoteTransact());
  (await opened(7)).close();
  expect((await look(createQuoteTransact())).version).toBe(7);
});
