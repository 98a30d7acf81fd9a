import { expect, test, vi } from 'vitest';
import { fileIdOf } from '../../src/lead/files.ts';
import { hashOf, hexOf } from '../../src/lead/hash.ts';
import { deliverMessage } from '../../src/outbox/delivery.ts';
import {
  withFileLock,
  storeFile,
  keepRemovedFiles,
  deleteDeliveredFiles,
  readPart,
  deleteUnusedFiles,
} from '../../src/outbox/file-store.ts';
import type { Entry } from '../../src/outbox/entry.ts';
import type { SendOutcome } from '../../src/outbox/state.ts';
import '../../src/outbox/send-part.ts';
import { dismiss, whenGone, toast } from '../../src/notices/toasts.ts';
import { eraseFiles } from '../../src/phone/erase-files.ts';
import { deliveredAt, MINUTE, NOW, outbox, phone, SECOND, someQuote, usePhone, waitingSince } from './phone.ts';

usePhone();

const facts = { nombre: 'caja.jpg', tipo: 'image/jpeg', bytes: 200_000, huella: 'a'.repeat(64) };
const archivo = (id: string) => ({ id, kind: 'archivo', details: facts }) as const;
/** Stores a delivered quote with these files. */
async function attach(...ids: readonly string[]): Promise<Entry> {
  const entry = deliveredAt(NOW - MINUTE);
  await phone.keep(entry);
  for (const id of ids) await outbox.addMessage(entry.id, archivo(id));
  return entry;
}

/** Simulates a server that accepts every file part and stores none. */
function stubServer(): void {
  vi.stubGlobal('self', { location: { origin: 'http://localhost' } });
  vi.stubGlobal('fetch', async (_: unknown, { method }: RequestInit) =>
    Response.json([], { status: method === 'POST' ? 201 : 200 }),
  );
}

const stored = async () => (await outbox.entries())[0]!.messages;
/** Makes each attempt deliver one part of a file. `of` is the number of parts of each file. */
function takeParts(of: number): Map<string, number> {
  const come = new Map<string, number>();
  phone.messagesEnd = ({ id, kind }) => {
    const now = (come.get(id) ?? 0) + 1;
    come.set(id, now);
    return kind === 'archivo' && now < of ? { kind: 'more', come: now } : { kind: 'delivered', at: phone.now };
  };
  return come;
}
const sentIds = () => phone.messages.map(({ id }) => id);

test('the outbox sends all messages before files, then one file after the other', async () => {
  const entry = await attach('one', 'two');
  await outbox.addMessage(entry.id, { id: 'word', answerId: '', kind: 'pregunta', body: '¿Cuándo?' });
  takeParts(3);
  await outbox.flush('due');
  expect(sentIds()).toEqual(['word', 'one', 'one', 'one', 'two', 'two', 'two']);
  expect((await stored()).map(({ state }) => state.kind)).toEqual(Array(3).fill('delivered'));
});

test('the outbox never sends two files at once, even while quotes are being delivered', async () => {
  await attach('one', 'two');
  await outbox.add(someQuote(), { corrects: false });
  phone.ends = undefined;
  const { promise, resolve } = Promise.withResolvers<SendOutcome>();
  phone.messagesEnd = () => promise;
  const flushed = outbox.flush('due');
  await phone.tried(1);
  await vi.waitUntil(() => phone.messages.length > 0, { interval: 1 });
  phone.tries[0]!.answer({ kind: 'delivered', at: NOW });
  await phone.settle();
  expect(sentIds()).toEqual(['one']);
  resolve({ kind: 'delivered', at: NOW });
  await flushed;
  expect(sentIds()).toEqual(['one', 'two']);
});

test('the outbox sends a new quote before it finishes a file under way', async () => {
  await attach('one');
  let added: Promise<unknown> | undefined;
  const come = takeParts(4);
  const take = phone.messagesEnd;
  phone.messagesEnd = (reply) => {
    if (come.get(reply.id) === 1)
      added ??= outbox.add(someQuote(), { corrects: false }).then(() => outbox.flush('due'));
    return take(reply);
  };
  phone.ends = (quote) => {
    expect(come.get('one'), 'the quote had to wait for the file').toBeLessThan(4);
    return { kind: 'delivered', at: quote ? NOW : 0 };
  };
  await outbox.flush('due');
  await added;
  expect(phone.names).toHaveLength(1);
  expect(come.get('one')).toBe(4);
});

test('the outbox sends a failed file part again, and no earlier part of the file', async () => {
  await attach('one');
  takeParts(9);
  const take = phone.messagesEnd;
  phone.messagesEnd = (reply) => (phone.messages.length === 3 ? { kind: 'unreachable' } : take(reply));
  await outbox.flush('due');
  const [waits] = await stored();
  expect(waits!.state).toMatchObject({ kind: 'waiting', attempts: 1, come: 2, trouble: 'unreachable' });
  expect(phone.messages).toHaveLength(3);
  phone.now += 10 * SECOND;
  await outbox.flush('due');
  expect((await stored())[0]!.state.kind).toBe('delivered');
});

test('two tabs never send the same file part at the same time', async () => {
  const entry = deliveredAt(NOW - MINUTE);
  const state = { ...waitingSince(NOW).state, sendingUntil: NOW + 20 * SECOND };
  await phone.keep({ ...entry, messages: [{ ...archivo('one'), createdAt: NOW, state }] });
  await outbox.flush('person');
  expect(phone.messages).toEqual([]);
  // The other tab’s claim to send this part has expired.
  phone.now += 21 * SECOND;
  await outbox.flush('due');
  expect(sentIds()).toEqual(['one']);
});

test('the same file is attached only once, and can be removed until it is sent', async () => {
  const entry = await attach('one', 'one');
  expect(await stored()).toHaveLength(1);
  phone.messagesEnd = () => ({ kind: 'refused', refusal: { kind: 'rejected', code: 'gone', message: '' } });
  await outbox.flush('due');
  await outbox.addMessage(entry.id, archivo('one'));
  expect((await stored()).map(({ state }) => state.kind)).toEqual(['waiting']);
  await outbox.removeMessage(entry.id, 'one');
  expect(await stored()).toEqual([]);
  await outbox.addMessage(entry.id, archivo('one'));
  takeParts(1);
  await outbox.flush('due');
  await outbox.removeMessage(entry.id, 'one');
  expect(await stored()).toHaveLength(1);
});

test('the phone deletes a file’s parts when the file is unused, delivered or erased', async () => {
  await attach('one');
  await storeFile('one', new ArrayBuffer(100_000));
  await storeFile('other', new ArrayBuffer(10));
  expect((await readPart('one', 0))!.byteLength).toBe(65_536);
  expect((await readPart('one', 1))!.byteLength).toBe(34_464);
  expect(await readPart('one', 2)).toBeUndefined();
  await deleteUnusedFiles(outbox);
  expect(await readPart('one', 1)).toBeDefined();
  expect(await readPart('other', 0)).toBeUndefined();
  takeParts(1);
  await outbox.flush('due');
  await deleteDeliveredFiles(await outbox.entries());
  expect(await readPart('one', 0)).toBeUndefined();
  await storeFile('one', new ArrayBuffer(10));
  await eraseFiles();
  expect(await readPart('one', 0)).toBeUndefined();
});

test('a file part is sent later if the disk fails, never if missing or damaged', async () => {
  stubServer();
  const content = new TextEncoder().encode('%PDF-1.7 x').buffer;
  const details = { ...facts, bytes: 10, huella: hexOf(await hashOf(content)) };
  const row = { ...archivo('one'), details, quoteId: someQuote().id, pressedAt: NOW };
  await storeFile('one', content);
  // The stub server never has the whole file, so the phone must send the file again later.
  expect(await deliverMessage(row)).toEqual({ kind: 'unreachable' });
  const disk = vi.spyOn(IDBObjectStore.prototype, 'get').mockImplementation(() => {
    throw new DOMException('The disk did not answer.', 'UnknownError');
  });
  expect(await deliverMessage(row)).toEqual({ kind: 'unreachable' });
  disk.mockRestore();
  await storeFile('one', new ArrayBuffer(10));
  expect(await deliverMessage(row)).toMatchObject({ kind: 'refused', refusal: { code: 'damaged' } });
  await eraseFiles();
  expect(await deliverMessage(row)).toMatchObject({ kind: 'refused', refusal: { code: 'gone' } });
});

test('the deletion of unused files keeps a file that is being stored', async () => {
  const entry = deliveredAt(NOW - MINUTE);
  await phone.keep(entry);
  let tidied: Promise<void> | undefined;
  await withFileLock(async () => {
    await storeFile('one', new ArrayBuffer(10));
    tidied = deleteUnusedFiles(outbox);
    await new Promise((resolve) => setImmediate(resolve));
    await outbox.addMessage(entry.id, archivo('one'));
  });
  await tidied;
  expect(await readPart('one', 0)).toBeDefined();
});

test('the files of a removed quote are kept while the visitor can undo the removal', async () => {
  const notice = toast({ es: 'Eliminada', en: 'Removed' });
  await storeFile('one', new ArrayBuffer(10));
  keepRemovedFiles(whenGone(notice));
  await deleteUnusedFiles(outbox);
  expect(await readPart('one', 0)).toBeDefined();
  dismiss(notice);
  await vi.waitFor(async () => {
    await deleteUnusedFiles(outbox);
    expect(await readPart('one', 0)).toBeUndefined();
  });
});

test('the same file has one id within a quote, and another id in another quote', async () => {
  const quote = someQuote().id;
  const id = await fileIdOf(quote, facts.huella);
  for (let at = 0; at < 20; at += 1)
    expect(await fileIdOf(quote, String(at))).toMatch(
      /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
    );
  expect(await fileIdOf(quote, facts.huella)).toBe(id);
  expect(await fileIdOf(someQuote().id, facts.huella)).not.toBe(id);
  expect(await fileIdOf(quote, 'b'.repeat(64))).not.toBe(id);
});
