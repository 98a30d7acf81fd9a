import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { insertion, presenting, quoting, service, visitor } from './callers.ts';
import { actsOn, fails } from './lead-acts.ts';
import { engineOfFile } from './engines.ts';
import { sampleQuote } from './sample-quote.ts';

// In these tests the server was restored from an older backup, and phones send the lost quotes again.

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const engine = await engineOfFile();

const { owner, asOwner, ask, put, reply, answer, block, erase, lead } = actsOn(engine);
const send = quoting(engine);
const unknown = async (...ids: string[]) =>
  (await ask<{ id: string }>(presenting(...ids), 'select id from public.unknown_submissions')).map(({ id }) => id);
/** Returns the kinds of the alerts about a quote; with `askedAt`, only the alerts of that time. */
const alertsOf = async (id: string, askedAt: Date | null = null) => {
  const sql =
    'select kind from public.alerts where quote_id = $1 and asked_at = coalesce($2, asked_at) order by due_at';
  return (await owner<{ kind: string }>(sql, [id, askedAt])).map(({ kind }) => kind);
};

test('the server tells a phone which quotes it lost, but names no blocked or erased quote', async () => {
  const known = await send();
  const [stored] = await reply(known.id, {});
  const blocked = await send();
  const erased = await send();
  const [erasedReply] = await reply(erased.id, {});
  await block(blocked);
  await erase(erased);
  const lost = randomUUID();
  expect(await unknown(known.id, stored!.id, blocked.id, lost, erased.id, erasedReply!.id)).toEqual([lost]);
  expect(await unknown()).toEqual([]);
  await fails(ask({ role: 'authenticated' }, 'select * from public.unknown_submissions'));
});

test('an erased quote that a phone sends again is not stored', async () => {
  const quote = await send();
  await erase(quote);
  for (const again of [quote, { ...quote, entregada: new Date() }])
    expect(await ask(visitor, ...insertion('quotes', again, 'on conflict (id) do nothing'))).toEqual([]);
  expect(await owner('select from public.quotes where id = $1', [quote.id])).toEqual([]);
});

test('a lost quote that is sent again keeps the time of its first delivery', async () => {
  const first = new Date(Date.now() - 5 * HOUR);
  const late = await send({ entregada: first });
  expect(await lead(late.id)).toMatchObject({
    created_at: first,
    asked_at: first,
    due_at: new Date(first.getTime() + 2 * HOUR),
    entregada: first,
    status: 'nueva',
    open: true,
  });
  expect(await alertsOf(late.id)).toEqual(['recuperada']);
  const running = await send({ entregada: new Date(Date.now() - 80 * 60_000) });
  // The alert `recuperada` is made at most once in ten minutes, so this lead has only the alerts about its deadline.
  expect(await alertsOf(running.id)).toEqual(['quedan30', 'quedan10', 'tarde']);
});

test('a lost quote that is sent again alerts the desk, even if its correction follows', async () => {
  await asOwner("delete from public.alerts where kind = 'recuperada'");
  const entregada = new Date(Date.now() - 5 * HOUR);
  const first = await send({ entregada });
  const { folio } = await lead(first.id);
  const corrected = sampleQuote({ entregada, reemplaza: folio });
  await put(presenting(first.id, corrected.id), 'quotes', corrected);
  await send({ entregada });
  expect(await lead(first.id)).toMatchObject({ open: false });
  const claim = "select kind, folio from public.claim_alerts(now(), '{push,mail}', '{recuperada}')";
  expect(await ask(service, claim)).toEqual([{ kind: 'recuperada', folio }]);
});

test('an impossible time of delivery that a phone sends is not stored', async () => {
  const { id: future } = await send({ entregada: new Date(Date.now() + DAY) });
  expect((await lead(future))['created_at']!.valueOf()).toBeLessThanOrEqual(Date.now());
  const { id: ancient } = await send({ entregada: new Date('1990-01-01') });
  expect(Date.now() - Number((await lead(ancient))['created_at'])).toBeLessThan(31.1 * DAY);
  const { id: infinite } = await send({ entregada: '-infinity' });
  expect((await lead(infinite))['created_at']).toBeInstanceOf(Date);
});

test('an acceptance of an offer that the server does not have counts as a question', async () => {
  const { id } = await send();
  await answer(service, id);
  const claim = { kind: 'aceptada', answer_id: randomUUID(), body: '0.01 USD / kilo · 90000 kg' };
  const entregada = new Date(Date.now() - HOUR);
  const stored = { kind: 'aceptada', answer_id: null, verdict: 'sinoferta' };
  expect(await reply(id, { ...claim, entregada, hace: 60 })).toMatchObject([stored]);
  expect(await lead(id)).toMatchObject({
    status: 'respondida',
    open: true,
    asked_at: entregada,
    due_at: new Date(entregada.getTime() + 2 * HOUR),
    reply_verdict: 'sinoferta',
    accepted_state: null,
    accepted_price: null,
  });
  expect(await alertsOf(id, entregada)).toEqual(['pregunta', 'quedan30', 'quedan10', 'tarde']);
  // The server does not have the accepted offer, so there is nothing to book, and the team’s answer closes the lead.
  await answer(service, id);
  expect(await lead(id)).toMatchObject({ open: false });
});

test('a lost reply sent again keeps its time, and describes the offer that was also lost', async () => {
  const { id } = await send({ entregada: new Date(Date.now() - 5 * HOUR) });
  const at = new Date(Date.now() - 3 * HOUR);
  const lost = { kind: 'aceptada', answer_id: randomUUID(), body: '4.1 USD / kilo\nSale el jueves.', entregada: at };
  expect(await reply(id, lost)).toMatchObject([{ answer_id: null, body: lost.body, created_at: at }]);

  const known = await send();
  const answer_id = await answer(service, known.id);
  expect(await reply(known.id, { ...lost, answer_id })).toMatchObject([{ answer_id, body: '', created_at: at }]);
  expect(await lead(known.id)).toMatchObject({ open: true, asked_at: at });
  // The desk is alerted of the recovered question, but not reminded of it: the times of its reminders have passed.
  const questioned = await send();
  await answer(service, questioned.id);
  await reply(questioned.id, { entregada: at });
  expect(await alertsOf(questioned.id, at)).toEqual(['pregunta']);
  // A new acceptance must name an existing answer. Only an acceptance sent again may name a lost answer.
  await fails(reply(known.id, { kind: 'aceptada', body: '' }), '23514');
  await fails(reply(known.id, { kind: 'aceptada', body: '', answer_id: randomUUID() }), '23503');
});
