import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { FIELDS } from '../../src/lead/fields.ts';
import { folioOf } from '../../src/lead/folio.ts';
import { linkKey } from '../../src/lead/quote-link.ts';
import { insertion, presenting, quoting, staffMember, visitor } from './callers.ts';
import { actsOn, fails } from './lead-acts.ts';
import { engineOfFile } from './engines.ts';

const engine = await engineOfFile();

const ana = staffMember('Ana Ruiz');
const COLUMNS = FIELDS.join(', ');

const { asOwner, ask, put, block, erase } = actsOn(engine);
const send = quoting(engine);
const open = (...shown: string[]) =>
  ask<{ id: string; closing: string | null }>(
    presenting(...shown),
    `select id, closing, ${COLUMNS} from public.quote_links order by created_at, id`,
  );
const close = async (quote_id: string, caller = presenting(quote_id), id = randomUUID()) => {
  const conflict = 'on conflict (id) do nothing';
  await ask(caller, ...insertion('quote_link_closings', { id, quote_id }, conflict, 'returning created_at'));
  return id;
};

test('the key of a share link opens its quote, and no other quote or table', async () => {
  const [quote, other] = [await send(), await send()];
  expect(await open(await linkKey(quote.id, undefined))).toEqual([{ ...quote, closing: null }]);
  expect(await open(quote.id)).toEqual([{ ...quote, closing: null }]);
  const keys = await Promise.all([quote, other].map(({ id }) => linkKey(id, undefined)));
  expect((await open(...keys)).map(({ id }) => id).toSorted()).toEqual([quote.id, other.id].toSorted());
  expect(await open(randomUUID())).toEqual([]);
  expect(await open()).toEqual([]);
  // The key of a share link opens the view `quote_links`, but not the table `quotes`, which needs the quote’s id.
  expect(await ask(presenting(keys[0]!), 'select id from public.quotes')).toEqual([]);
});

test('the share link of a repeated quote also gives the folio of the original', async () => {
  const quote = await send();
  const copy = { ...quote, id: randomUUID(), igual: folioOf(quote.id) };
  await put(visitor, 'quotes', copy);
  const opened = 'select id, igual from public.quote_links order by igual nulls first';
  expect(await ask(presenting(quote.id, copy.id), opened)).toEqual([
    { id: quote.id, igual: null },
    { id: copy.id, igual: copy.igual },
  ]);
});

test('a revoked share link opens no quote, and the next link works', async () => {
  const { id } = await send();
  const first = await close(id);
  expect(await open(await linkKey(id, undefined))).toEqual([]);
  expect(await open(await linkKey(id, first))).toMatchObject([{ id, closing: first }]);
  const second = await close(id);
  const keys = await Promise.all([undefined, first, second].map((closing) => linkKey(id, closing)));
  expect(await open(keys[0]!, keys[1]!)).toEqual([]);
  expect(await open(...keys)).toMatchObject([{ id, closing: second }]);
  expect(await open(id)).toMatchObject([{ closing: second }]);
});

test('a repeated request to revoke a share link changes nothing', async () => {
  const { id } = await send();
  const first = await close(id);
  const second = await close(id);
  await close(id, presenting(id), first);
  expect(await open(id)).toMatchObject([{ closing: second }]);
  expect(await ask(presenting(id), 'select id from public.quote_link_closings')).toHaveLength(2);
});

test('a visitor without the quote’s id cannot revoke its share link', async () => {
  const [{ id }, other] = [await send(), await send()];
  const key = await linkKey(id, undefined);
  for (const caller of [visitor, presenting(key), presenting(other.id), ana])
    await expect(close(id, caller)).rejects.toThrow(/row-level security|permission denied/);
  expect(await open(key)).toHaveLength(1);
});

test('the share link of a blocked or erased quote opens no quote', async () => {
  const { id } = await send();
  const key = await linkKey(id, undefined);
  const closing = await close(id);
  const next = await linkKey(id, closing);
  const unknown = () => ask(presenting(id, closing), 'select id from public.unknown_submissions');
  const shut = async () => {
    expect(await open(id, key, next)).toEqual([]);
    for (const each of [id, randomUUID()])
      await expect(close(each)).rejects.toThrow('The quote of this message is not there');
    // The server knows the revocation, so the phone does not send it again.
    expect(await unknown()).toEqual([]);
  };
  expect(await unknown()).toEqual([]);
  await block(id);
  await shut();
  expect(await ask(presenting(id), 'select id from public.quote_link_closings')).toEqual([]);
  await erase(id);
  await shut();
});

test('no role can change or delete a revocation of a share link', async () => {
  const { id } = await send();
  const closing = await close(id);
  const read = 'select id from public.quote_link_closings where quote_id = $1';
  expect(await ask(ana, read, [id])).toEqual([{ id: closing }]);
  expect(await ask(presenting(randomUUID()), read, [id])).toEqual([]);
  await fails(asOwner('delete from public.quote_link_closings'));
});

test('the database finds a share link by an index', async () => {
  const key = await linkKey(randomUUID(), undefined);
  const plan = await engine.transaction(async (session) => {
    await session.run('set local enable_seqscan = off');
    return session.query(
      `explain select id from public.quotes where substring(sha256(uuid_send(id)) for 16) = uuid_send('${key}'::uuid)`,
    );
  });
  expect(JSON.stringify(plan)).toContain('quotes_link');
});
