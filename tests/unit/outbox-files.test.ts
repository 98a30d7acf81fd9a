import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fileIdOf } from '../../src/lead/files.ts';
import { hashOf, hexOf } from '../../src/lead/hash.ts';
import { deliverMessage } from '../../src/outbox/delivery.ts';
import { alone, keepFile, keepRemoved, makeRoom, readPart, tidyFiles } from '../../src/outbox/file-store.ts';
import type { Outbox } from '../../src/outbox/outbox.ts';
import '../../src/outbox/send-part.ts';
import { dismiss, gone, toast } from '../../src/notices/toasts.ts';
import { eraseFiles } from '../../src/phone/erase-files.ts';
import { deliveredAt, MINUTE, NOW, Phone, SECOND, someQuote, waitingSince } from './phone.ts';

let phone: Phone;
let outbox: Outbox;
beforeEach(() => {
  phone = new Phone();
  outbox = phone.openTab();
});
afterEach(() => phone.turnOff());

const facts = { nombre: 'caja.jpg', tipo: 'image/jpeg', bytes: 200_000, huella: 'a'.repeat(64) };
const archivo = (id: string) => ({ id, kind: 'archivo', details: facts }) as const;
/** A server that has these parts of each file, and takes one more with each try. */
function takeParts(of: number): Map<string, number> {
  const come = new Map<string, number>();
  phone.messagesEnd = ({ id, kind }) => {
    const now = (come.get(id) ?? 0) + 1;
    come.set(id, now);
    return kind === 'archivo' && now < of ? { kind: 'more', come: now } : { kind: 'delivered', at: phone.now };
  };
  return come;
}
const sent = () => phone.messages.map(({ id }) => id);

test('parts go one at a time, file after file, behind every word; what they come to is on the disk', async () => {
  const entry = deliveredAt(NOW - MINUTE);
  await phone.keep(entry);
  await outbox.say(entry.id, archivo('one'));
  await outbox.say(entry.id, archivo('two'));
  await outbox.say(entry.id, { id: 'word', answerId: '', kind: 'pregunta', body: '¿Cuándo?' });
  takeParts(3);
  await outbox.flush('due');
  expect(sent()).toEqual(['word', 'one', 'one', 'one', 'two', 'two', 'two']);
  expect((await outbox.entries())[0]!.messages.map(({ state }) => state.kind)).toEqual(Array(3).fill('delivered'));
});

test('a quote that comes while a file is under way does not wait for its end', async () => {
  const entry = deliveredAt(NOW - MINUTE);
  await phone.keep(entry);
  await outbox.say(entry.id, archivo('one'));
  let asked: Promise<unknown> | undefined;
  const come = takeParts(4);
  const take = phone.messagesEnd;
  phone.messagesEnd = (reply) => {
    if (come.get(reply.id) === 1)
      asked ??= outbox.add(someQuote(), { corrects: false }).then(() => outbox.flush('due'));
    return take(reply);
  };
  phone.ends = (quote) => {
    expect(come.get('one'), 'the quote had to wait for the file').toBeLessThan(4);
    return { kind: 'delivered', at: quote ? NOW : 0 };
  };
  await outbox.flush('due');
  await asked;
  expect(phone.names).toHaveLength(1);
  expect(come.get('one')).toBe(4);
});

test('a part that fails waits, and what has come is neither forgotten nor tried more often', async () => {
  const entry = deliveredAt(NOW - MINUTE);
  await phone.keep(entry);
  await outbox.say(entry.id, archivo('one'));
  takeParts(9);
  const take = phone.messagesEnd;
  phone.messagesEnd = (reply) => (phone.messages.length === 3 ? { kind: 'unreachable' } : take(reply));
  await outbox.flush('due');
  const [waits] = (await outbox.entries())[0]!.messages;
  expect(waits!.state).toMatchObject({ kind: 'waiting', attempts: 1, come: 2, trouble: 'unreachable' });
  expect(phone.messages).toHaveLength(3);
  phone.now += 10 * SECOND;
  await outbox.flush('due');
  expect((await outbox.entries())[0]!.messages[0]!.state.kind).toBe('delivered');
});

test('two tabs never bring the same part at once', async () => {
  const entry = deliveredAt(NOW - MINUTE);
  const state = { ...waitingSince(NOW).state, sendingUntil: NOW + 20 * SECOND };
  await phone.keep({ ...entry, messages: [{ ...archivo('one'), createdAt: NOW, state }] });
  await outbox.flush('person');
  expect(phone.messages).toEqual([]);
  // The tab that had it is gone.
  phone.now += 21 * SECOND;
  await outbox.flush('due');
  expect(sent()).toEqual(['one']);
});

test('the same one is kept once, unless it was refused; one that has not come can be taken back', async () => {
  const entry = deliveredAt(NOW - MINUTE);
  await phone.keep(entry);
  await outbox.say(entry.id, archivo('one'));
  await outbox.say(entry.id, archivo('one'));
  expect((await outbox.entries())[0]!.messages).toHaveLength(1);
  phone.messagesEnd = () => ({ kind: 'refused', refusal: { kind: 'rejected', code: 'gone', message: '' } });
  await outbox.flush('due');
  await outbox.say(entry.id, archivo('one'));
  expect((await outbox.entries())[0]!.messages.map(({ state }) => state.kind)).toEqual(['waiting']);
  await outbox.takeBack(entry.id, 'one');
  expect((await outbox.entries())[0]!.messages).toEqual([]);
  await outbox.say(entry.id, archivo('one'));
  takeParts(1);
  await outbox.flush('due');
  await outbox.takeBack(entry.id, 'one');
  expect((await outbox.entries())[0]!.messages).toHaveLength(1);
});

test('what is kept are parts of 64 kB; they go with their quote, when it is erased, or when room is needed', async () => {
  const entry = deliveredAt(NOW - MINUTE);
  await phone.keep(entry);
  await outbox.say(entry.id, archivo('one'));
  await keepFile('one', new ArrayBuffer(100_000));
  await keepFile('other', new ArrayBuffer(10));
  expect((await readPart('one', 0))!.byteLength).toBe(65_536);
  expect((await readPart('one', 1))!.byteLength).toBe(34_464);
  expect(await readPart('one', 2)).toBeUndefined();
  await tidyFiles(outbox);
  expect(await readPart('one', 1)).toBeDefined();
  expect(await readPart('other', 0)).toBeUndefined();
  takeParts(1);
  await outbox.flush('due');
  await makeRoom(await outbox.entries());
  expect(await readPart('one', 0)).toBeUndefined();
  await keepFile('one', new ArrayBuffer(10));
  await eraseFiles();
  expect(await readPart('one', 0)).toBeUndefined();
});

test('a part that cannot be read just now is tried again; one that is not there is gone', async () => {
  vi.stubGlobal('self', { location: { origin: 'http://localhost' } });
  // A server that has nothing of it yet.
  vi.stubGlobal('fetch', async (_: unknown, { method }: RequestInit) =>
    Response.json([], { status: method === 'POST' ? 201 : 200 }),
  );
  const row = { ...archivo('one'), quoteId: someQuote().id, pressedAt: NOW };
  await keepFile('one', new ArrayBuffer(10));
  const disk = vi.spyOn(IDBObjectStore.prototype, 'get').mockImplementation(() => {
    throw new DOMException('The disk did not answer.', 'UnknownError');
  });
  expect(await deliverMessage(row)).toEqual({ kind: 'unreachable' });
  disk.mockRestore();
  await eraseFiles();
  expect(await deliverMessage(row)).toMatchObject({ kind: 'refused', refusal: { code: 'gone' } });
});

test('a file that the server erased is sent again unless the phone damaged it', async () => {
  vi.stubGlobal('self', { location: { origin: 'http://localhost' } });
  // A server that takes every part and has no file in the end.
  vi.stubGlobal('fetch', async (_: unknown, { method }: RequestInit) =>
    Response.json([], { status: method === 'POST' ? 201 : 200 }),
  );
  const content = new TextEncoder().encode('%PDF-1.7 x').buffer;
  const details = { ...facts, bytes: 10, huella: hexOf(await hashOf(content)) };
  const row = { ...archivo('one'), details, quoteId: someQuote().id, pressedAt: NOW };
  await keepFile('one', content);
  expect(await deliverMessage(row)).toEqual({ kind: 'unreachable' });
  await keepFile('one', new ArrayBuffer(10));
  expect(await deliverMessage(row)).toMatchObject({ kind: 'refused', refusal: { code: 'damaged' } });
});

test('what is being kept, and is told of next, is not tidied away', async () => {
  const entry = deliveredAt(NOW - MINUTE);
  await phone.keep(entry);
  let tidied: Promise<void> | undefined;
  await alone(async () => {
    await keepFile('one', new ArrayBuffer(10));
    tidied = tidyFiles(outbox);
    await new Promise((resolve) => setImmediate(resolve));
    await outbox.say(entry.id, archivo('one'));
  });
  await tidied;
  expect(await readPart('one', 0)).toBeDefined();
});

test('what a removed quote had with it is not tidied away while the quote can be brought back', async () => {
  const notice = toast({ es: 'Eliminada', en: 'Removed' });
  await keepFile('one', new ArrayBuffer(10));
  keepRemoved(gone(notice));
  await tidyFiles(outbox);
  expect(await readPart('one', 0)).toBeDefined();
  dismiss(notice);
  await vi.waitFor(async () => {
    await tidyFiles(outbox);
    expect(await readPart('one', 0)).toBeUndefined();
  });
});

test('a file of a quote has one id, whichever phone asks, and another one in another quote', async () => {
  const quote = someQuote().id;
  const id = await fileIdOf(quote, facts.huella);
  expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  expect(await fileIdOf(quote, facts.huella)).toBe(id);
  expect(await fileIdOf(someQuote().id, facts.huella)).not.toBe(id);
  expect(await fileIdOf(quote, 'b'.repeat(64))).not.toBe(id);
});
