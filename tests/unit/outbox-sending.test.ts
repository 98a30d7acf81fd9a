import { expect, test, vi } from 'vitest';
import { isWaiting, type Entry } from '../../src/outbox/entry.ts';
import { folioOf } from '../../src/lead/folio.ts';
import { PROBE_EVERY, type Cause, type SendOutcome } from '../../src/outbox/state.ts';
import { MINUTE, muteDisk, NOW, outbox, phone, SECOND, someQuote, usePhone, waitingSince } from './phone.ts';

usePhone();

const about = { corrects: false };
const unreachable = (): SendOutcome => ({ kind: 'unreachable' });
const arrives = (): SendOutcome => ({ kind: 'delivered', at: NOW });
/** Makes all attempts arrive: those on their way and later ones. */
function arriveAll(): void {
  phone.ends = arrives;
  for (const { answer } of phone.tries) answer(arrives());
}
/** Returns waiting quotes of the last minute, oldest first. */
const recent = (many: number, state: Parameters<typeof waitingSince>[1] = {}) =>
  Array.from({ length: many }, (_, index) => waitingSince(NOW - MINUTE + index, state));
const LATER = { since: NOW, nextTry: NOW + 10 * MINUTE, attempts: 9, trouble: 'unreachable' } as const;
const laterOnes = (many: number) => recent(many, LATER);
const nameOf = ({ quote }: Entry) => quote!.nombre;

test('the outbox sends quotes with fewer attempts first, and older quotes first among equals', async () => {
  const often = waitingSince(NOW - 5 * MINUTE, { attempts: 7 });
  const young = waitingSince(NOW - MINUTE);
  const old = waitingSince(NOW - 4 * MINUTE);
  const once = waitingSince(NOW - 3 * MINUTE, { attempts: 1 });
  await phone.keep(often, young, once, old);
  const settled = await outbox.flush('due');
  expect(phone.names).toEqual([old, young, once, often].map(nameOf));
  expect(settled).toHaveLength(4);
});

test('a quote that always fails delays no other quote', async () => {
  const poison = waitingSince(NOW - 60 * MINUTE);
  const others = recent(12);
  await phone.keep(poison, ...others);
  phone.ends = ({ id }) => (id === poison.id ? unreachable() : arrives());
  await outbox.flush('due');
  expect((await outbox.entries()).filter(isWaiting).map(nameOf)).toEqual([nameOf(poison)]);
  expect(phone.tries).toHaveLength(13);
});

test('an unexpected error does not let another tab send a quote that is being sent', async () => {
  phone.ends = undefined;
  await phone.keep(waitingSince(NOW - MINUTE), waitingSince(NOW));
  const flushed = outbox.flush('due');
  await phone.tried(2);
  const elsewhere = phone.openTab(1).flush('due');
  phone.tries[0]!.answer(Promise.reject(new Error('odd')) as never);
  await phone.settle();
  expect(phone.tries).toHaveLength(2);
  phone.ends = arrives;
  phone.tries[1]!.answer(arrives());
  await expect(flushed).rejects.toThrow('odd');
  expect(await elsewhere).toMatchObject([{ id: phone.tries[0]!.quote.id }]);
});

test('the outbox sends at most five quotes at a time', async () => {
  phone.ends = undefined;
  await phone.keep(...Array.from({ length: 8 }, () => waitingSince(NOW)));
  const flushed = outbox.flush('due');
  await phone.tried(5);
  await phone.settle();
  expect(phone.tries).toHaveLength(5);
  phone.tries[2]!.answer(arrives());
  await phone.tried(6);
  await phone.settle();
  expect(phone.tries).toHaveLength(6);
  expect(phone.most).toBe(5);
  arriveAll();
  expect(await flushed).toHaveLength(8);
});

test('the outbox stops after three failed attempts in a row, and tries the other quotes later', async () => {
  phone.ends = undefined;
  const entries = recent(10);
  const deferred = waitingSince(NOW, { nextTry: NOW + 10 * MINUTE, trouble: 'retry-after' });
  await phone.keep(...entries, deferred);
  const flushed = outbox.flush('due');
  await phone.tried(5);
  // The attempts fail one after the other, so that the moment of the third failure is known.
  for (const [index, { answer }] of phone.tries.slice(0, 5).entries()) {
    answer({ kind: 'unreachable' });
    await phone.settle();
    expect(phone.tries).toHaveLength([6, 7, 7, 7, 7][index]!);
  }
  for (const { answer } of phone.tries.slice(5)) answer({ kind: 'unreachable' });
  expect(await flushed).toEqual([]);
  const tried = new Set(phone.names);
  const stored = await outbox.entries();
  expect(stored).toContainEqual(deferred);
  for (const { quote, state } of stored.filter(isWaiting).filter(({ id }) => id !== deferred.id)) {
    const attempts = tried.has(quote.nombre) ? 1 : 0;
    expect(state).toMatchObject({ attempts, trouble: 'unreachable', nextTry: NOW + SECOND, sendingUntil: 0 });
  }
});

test('a quote that was not tried because others failed waits at most a minute', async () => {
  await phone.keep(...recent(12, { attempts: 20 }));
  phone.ends = unreachable;
  await outbox.flush('due');
  const waiting = (await outbox.entries()).filter(isWaiting);
  const waits = waiting.map(({ state }) => `${state.attempts} ${state.nextTry - NOW}`).toSorted();
  expect(waits).toEqual([...Array<string>(7).fill('20 60000'), ...Array<string>(5).fill('21 300000')]);
});

test('the outbox continues to send when a delivery comes between failed attempts', async () => {
  const entries = recent(10);
  await phone.keep(...entries);
  const placeOf = (id: string) => entries.findIndex((entry) => entry.id === id);
  phone.ends = ({ id }) => (placeOf(id) % 2 === 1 ? arrives() : unreachable());
  expect(await outbox.flush('due')).toHaveLength(5);
  expect(phone.tries).toHaveLength(10);
});

test('the outbox tests the connection with one quote, and sends the others if that arrives', async () => {
  await phone.keep(...laterOnes(9));
  phone.ends = unreachable;
  await outbox.flush('probe');
  expect(phone.tries).toHaveLength(1);
  phone.now += PROBE_EVERY;
  phone.ends = undefined;
  const flushed = outbox.flush('probe');
  await phone.tried(2);
  await phone.settle();
  expect(phone.tries).toHaveLength(2);
  phone.tries[1]!.answer(arrives());
  await phone.tried(7);
  expect(phone.most).toBe(5);
  arriveAll();
  expect(await flushed).toHaveLength(9);
});

test('a refusal by our server also shows that the server is reachable again', async () => {
  const [first] = laterOnes(1);
  await phone.keep(first, ...laterOnes(3));
  phone.ends = ({ id }) => (id === first!.id ? { kind: 'refused', refusal: { kind: 'known' } } : arrives());
  expect(await outbox.flush('probe')).toHaveLength(4);
});

test('a delivery makes the outbox send again quotes to which the server had denied access', async () => {
  const due = waitingSince(NOW);
  const denied = [1, 2].map((ago) => waitingSince(NOW - ago * MINUTE, { ...LATER, trouble: 'access-denied' }));
  await phone.keep(due, ...denied);
  phone.ends = () => ({ kind: 'access-denied' });
  expect(await outbox.flush('due')).toEqual([]);
  expect(phone.tries).toHaveLength(1);
  await phone.keep(due);
  phone.ends = arrives;
  expect(await outbox.flush('due')).toHaveLength(3);
});

test('a sign that the server is back ends every wait except Retry-After', async () => {
  for (const [trouble, causes] of [
    ['unreachable', ['probe', 'sign-of-life', 'person']],
    ['access-denied', ['sign-of-life', 'person']],
    ['retry-after', ['person']],
  ] as const) {
    const entry = waitingSince(NOW, { ...LATER, trouble });
    for (const cause of ['due', 'probe', 'sign-of-life', 'person'] satisfies Cause[]) {
      await phone.keep(entry);
      phone.tries.length = 0;
      await outbox.flush(cause);
      expect(phone.tries.length, `${trouble}, ${cause}`).toBe((causes as readonly Cause[]).includes(cause) ? 1 : 0);
    }
    await phone.keep(entry);
    phone.now = LATER.nextTry;
    expect(await outbox.flush('due')).toHaveLength(1);
    phone.now = NOW;
  }
});

test('a quote added while the outbox sends is sent at once', async () => {
  phone.ends = undefined;
  await outbox.add(someQuote(), about);
  const flushed = outbox.flush('due');
  await phone.tried(1);
  await outbox.add(someQuote(), about);
  const joined = outbox.flush('due');
  await phone.tried(2);
  for (const { answer } of phone.tries) answer(arrives());
  expect(await flushed).toHaveLength(2);
  expect(await joined).toBe(await flushed);
});

test('a visitor who presses "send" while the outbox sends gets one more attempt afterwards', async () => {
  phone.ends = undefined;
  await outbox.add(someQuote(), about);
  const flushed = outbox.flush('due');
  await phone.tried(1);
  const pressed = outbox.flush('person');
  const pressedAgain = outbox.flush('sign-of-life');
  phone.ends = arrives;
  phone.tries[0]!.answer({ kind: 'access-denied' });
  expect(await flushed).toEqual([]);
  expect(await pressed).toHaveLength(1);
  // Both calls share a flush. Because a person asked, the flush also sends quotes that should wait longer.
  expect(await pressedAgain).toBe(await pressed);
  expect(phone.tries).toHaveLength(2);
});

test('a sign that the server is back counts even if sending is just ending', async () => {
  const denied = { since: NOW, nextTry: NOW + 30 * MINUTE, attempts: 1, trouble: 'access-denied' } as const;
  await phone.keep(waitingSince(NOW - MINUTE, denied));
  const get = Object.getOwnPropertyDescriptor(IDBObjectStore.prototype, 'get')!.value as IDBObjectStore['get'];
  let looks = 0;
  const flushed: Promise<unknown>[] = [];
  vi.spyOn(IDBObjectStore.prototype, 'get').mockImplementation(function (this: IDBObjectStore, key) {
    if (key === 'shared') looks += 1;
    // A flush reads the key `shared` a second time after all sending. At this late moment the test requests two more.
    if (key === 'shared' && looks === 2) flushed.push(outbox.flush('sign-of-life'), outbox.flush('due'));
    return get.call(this, key);
  });
  await outbox.flush('due');
  await Promise.all(flushed);
  expect(flushed).toHaveLength(2);
  expect(phone.tries).toHaveLength(1);
});

test('a connection test that is requested during another flush is still carried out', async () => {
  await phone.keep(...laterOnes(3));
  const flushed = outbox.flush('due');
  await Promise.all([outbox.flush('probe'), flushed]);
  expect(phone.tries).toHaveLength(3);
});

test.each([
  [0, 12],
  [1100, 20],
])('the outbox seldom reads the disk while it sends 200 quotes at %i ms each', async (takes, most) => {
  await phone.keep(...recent(200));
  phone.ends = () => {
    phone.now += takes;
    return { kind: 'delivered', at: phone.now };
  };
  const spy = vi.spyOn(IDBObjectStore.prototype, 'getAll');
  const transactions = vi.spyOn(IDBDatabase.prototype, 'transaction');
  await outbox.flush('due');
  const writes = transactions.mock.calls.filter(([, mode]) => mode === 'readwrite').length;
  transactions.mockRestore();
  const reads = spy.mock.results.map(({ value }) => (value as IDBRequest<readonly unknown[]>).result.length);
  spy.mockRestore();
  expect(phone.tries).toHaveLength(200);
  expect(new Set(phone.names).size).toBe(200);
  // Quotes whose attempts end together share a disk write. Two writes for each quote would be 400.
  expect(writes).toBeLessThan(100);
  const looks = reads.filter((read) => read === 200).length;
  expect(looks).toBeLessThan(most);
  if (takes > 0) expect(looks).toBeGreaterThan(12);
});

test('a new quote is sent before most of a hundred waiting quotes', async () => {
  await phone.keep(...recent(100, { attempts: 3 }));
  const quote = someQuote();
  let added: Promise<unknown> | undefined;
  phone.ends = () => {
    if (phone.tries.length >= 10) added ??= outbox.add(quote, about).then(() => outbox.flush('due'));
    return { kind: 'delivered', at: NOW };
  };
  await outbox.flush('due');
  await added;
  expect(phone.tries).toHaveLength(101);
  expect(phone.names.indexOf(quote.nombre)).toBeLessThan(50);
});

test('a correction is sent with the replaced quote’s id, even among many waiting quotes', async () => {
  const earlier = waitingSince(NOW - 2 * MINUTE);
  const others = recent(40);
  const [correction] = others.splice(20, 1);
  const corrected = { ...correction!, quote: { ...correction!.quote, reemplaza: folioOf(earlier.id) } };
  await phone.keep(earlier, ...others, corrected);
  await outbox.flush('due');
  expect(phone.tries).toHaveLength(41);
  const named = phone.tries.filter(({ replaced }) => replaced !== undefined);
  expect(named).toMatchObject([{ quote: { id: corrected.id }, replaced: earlier.id }]);
});

test('a correction of a correction is sent with the id of the first quote', async () => {
  const earlier = someQuote();
  await outbox.add(earlier, { corrects: false });
  await outbox.flush('due');
  const correction = { ...someQuote(), reemplaza: folioOf(earlier.id) };
  await outbox.add(correction, { corrects: false, replaced: earlier.id });
  await outbox.remove(earlier.id);
  await outbox.add({ ...correction, peso: 700 }, { corrects: true });
  await outbox.flush('due');
  expect(phone.tries[1]).toMatchObject({ quote: { id: correction.id, peso: 700 }, replaced: earlier.id });
});

test('a single disk error while the outbox sends does not stop the remaining quotes', async () => {
  const waiting = recent(7);
  await phone.keep(...waiting);
  phone.ends = undefined;
  const flushed = outbox.flush('due');
  await phone.tried(5);
  await phone.openTab(1).remove(waiting[5]!.id);
  vi.spyOn(IDBObjectStore.prototype, 'getAll').mockImplementationOnce(() => {
    throw new Error('a disk that cannot be read');
  });
  for (const { answer } of phone.tries.slice(0, 2)) answer(arrives());
  await phone.tried(6);
  expect(phone.names[5]).toBe(waiting[6]!.quote.nombre);
  for (const { answer } of phone.tries) answer(arrives());
  await flushed;
  expect(await phone.disk()).toHaveLength(6);
  expect((await phone.disk()).filter(isWaiting)).toEqual([]);
});

test('a flush gives up if the disk does not answer, and the next flush sends', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const waiting = waitingSince(NOW - MINUTE);
  await phone.keep(waiting);
  const answerAgain = muteDisk();
  const failure = expect(outbox.flush('due')).rejects.toThrow('in time');
  // Each of three disk accesses reaches its time limit: erase old data, claim a quote, erase again.
  for (let bounds = 0; bounds < 3; bounds += 1) await vi.advanceTimersByTimeAsync(4 * SECOND);
  await failure;
  answerAgain();
  expect(await outbox.flush('due')).toMatchObject([{ id: waiting.id, state: { kind: 'delivered' } }]);
});

test('a page that the phone suspended sends nothing until the page resumes', async () => {
  phone.ends = undefined;
  await phone.keep(...laterOnes(8));
  const flushed = outbox.flush('sign-of-life');
  await phone.tried(5);
  outbox.setPaused(true);
  for (const { answer } of phone.tries) answer(arrives());
  expect(await flushed).toHaveLength(5);
  expect(phone.tries).toHaveLength(5);
  phone.ends = arrives;
  outbox.setPaused(false);
  expect(await outbox.flush('sign-of-life')).toHaveLength(3);
});
