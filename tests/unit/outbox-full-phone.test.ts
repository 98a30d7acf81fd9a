import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Outbox } from '../../src/outbox/outbox.ts';
import { NOW, Phone, someQuote } from './phone.ts';

let phone: Phone;
let outbox: Outbox;
beforeEach(() => {
  phone = new Phone();
  outbox = phone.openTab();
});
afterEach(() => phone.turnOff());

const fresh = { corrects: false };

test('a phone that is full says so to who adds, and nothing of it is kept', async () => {
  const empty = phone.fillUp();
  await expect(outbox.add(someQuote(), fresh)).rejects.toThrow();
  empty();
  expect(await phone.disk()).toEqual([]);
});

test('on a phone that filled up meanwhile a quote is sent all the same, once; the next visit sends it again and tells it', async () => {
  const { id } = await outbox.add(someQuote(), fresh);
  const empty = phone.fillUp();
  expect(await outbox.flush('due')).toMatchObject([{ id, state: { kind: 'delivered' } }]);
  expect(await outbox.entries()).toMatchObject([{ id, state: { kind: 'delivered' } }]);
  expect(await outbox.flush('person')).toEqual([]);
  expect(phone.tries).toHaveLength(1);
  expect(await outbox.claim([id], 'told')).toEqual([]);
  expect(await phone.disk()).toMatchObject([{ id, state: { kind: 'waiting', sendingUntil: 0 } }]);
  empty();
  expect(await outbox.claim([id], 'told')).toEqual([]);
  const nextVisit = phone.openTab();
  expect(await nextVisit.flush('sign-of-life')).toMatchObject([{ id, state: { kind: 'delivered' } }]);
  expect(await nextVisit.claim([id], 'told')).toEqual([id]);
});

test('what another tab wrote is believed before what a full phone kept this one from writing', async () => {
  const { id } = await outbox.add(someQuote(), fresh);
  const empty = phone.fillUp();
  phone.ends = () => ({ kind: 'unreachable' });
  await outbox.flush('due');
  expect(await outbox.entries()).toMatchObject([{ state: { kind: 'waiting', attempts: 1 } }]);
  empty();
  phone.ends = () => ({ kind: 'delivered', at: NOW });
  await phone.openTab().flush('sign-of-life');
  expect(await outbox.entries()).toMatchObject([{ id, state: { kind: 'delivered' } }]);
});

test('what could not be written is, as soon as there is room', async () => {
  const { id } = await outbox.add(someQuote(), fresh);
  const empty = phone.fillUp();
  phone.ends = () => ({ kind: 'unreachable' });
  await outbox.flush('due');
  empty();
  await outbox.flush('sign-of-life');
  for (const entries of [await outbox.entries(), await phone.disk()]) {
    expect(entries).toMatchObject([{ id, state: { kind: 'waiting', attempts: 2 } }]);
  }
});

test('what was held in memory is erased with the rest', async () => {
  const quote = someQuote();
  await outbox.add(quote, fresh);
  const empty = phone.fillUp();
  await outbox.flush('due');
  empty();
  await outbox.erase();
  await phone.openTab().add(quote, fresh);
  expect(await outbox.flush('due')).toMatchObject([{ id: quote.id, state: { kind: 'delivered' } }]);
  expect(phone.tries).toHaveLength(2);
});
