import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { OFFER_STATES, type OfferState } from '../../src/lead/offer.ts';
import { folioOf } from '../../src/lead/folio.ts';
import { isPast } from '../../src/lead/tijuana.ts';
import { presenting, service, staffMember, UNGUARDED } from './callers.ts';
import { actsOn, fails, OFFER } from './lead-acts.ts';
import { engineOfFile } from './engines.ts';
import { sampleQuote } from './sample-quote.ts';

/** States to which an offer may change from each state. */
const OFFER_MOVES: Readonly<Record<OfferState, readonly OfferState[]>> = {
  vigente: ['aceptada', 'reemplazada', 'retirada', 'vencida'],
  reemplazada: [],
  retirada: [],
  // The desk may confirm a late acceptance, because the customer may have accepted in time without signal.
  vencida: ['aceptada'],
  aceptada: ['reservada', 'sinespacio'],
  reservada: [],
  sinespacio: [],
};
const [ana, beto] = [staffMember('Ana'), staffMember('Beto')];

const engine = await engineOfFile();

const { owner, asOwner, ask, put, takenBy, offeredBy, answer, accept, reply, move, lead, codes, setStatus } =
  actsOn(engine);
const taken = () => takenBy(ana);
/** Returns the state of an offer as the quote’s phone reads it. */
const stateOf = async (quote_id: string, answer_id: string) => {
  const sql = 'select state from public.quote_words where id = $1';
  return (await ask<{ state: string | null }>(presenting(quote_id), sql, [answer_id]))[0]?.state;
};
const alertsOf = async (quote_id: string) => {
  const sql = 'select kind from public.alerts where quote_id = $1 and about is not null order by id';
  return (await owner<{ kind: string }>(sql, [quote_id])).map(({ kind }) => kind);
};
/** Makes an offer `days` days older, and valid only until the day on which it was made. */
const age = (answer_id: string, days: number) =>
  asOwner(`${UNGUARDED} update public.quote_answers set created_at = now() - interval '${days} days',
       valid_until = ((now() - interval '${days} days') at time zone 'America/Tijuana')::date where id = '${answer_id}'`);

test('phone, desk and database end an offer at midnight in Tijuana', async () => {
  // The days have 24, 23 and 25 hours: Tijuana’s clocks change on the last two.
  const days = [
    ['2026-11-28', '2026-11-29T08:00:00Z'],
    ['2027-03-14', '2027-03-15T07:00:00Z'],
    ['2027-11-07', '2027-11-08T08:00:00Z'],
  ] as const;
  for (const [day, end] of days)
    for (const [state, at] of Object.entries({ vigente: Date.parse(end) - 1000, vencida: Date.parse(end) })) {
      const sql = `select private.offer_state('vigente', $1, $2) as state`;
      expect(await owner(sql, [day, new Date(at).toISOString()]), day).toEqual([{ state }]);
      expect(isPast(day, at)).toBe(state === 'vencida');
    }
});

test('an offer changes its state only as the table OFFER_MOVES allows', async () => {
  const [pairs] = await owner<{ allowed: Record<string, OfferState[]> }>(
    `select jsonb_object_agg(state, nexts) as allowed from (
       select one as state, coalesce(jsonb_agg(other) filter (where private.offer_may(one, other)), '[]') as nexts
       from unnest($1::text[]) as one, unnest($1::text[]) as other group by one) as _`,
    [OFFER_STATES],
  );
  for (const state of OFFER_STATES)
    expect(pairs!.allowed[state]!.toSorted(), state).toEqual([...OFFER_MOVES[state]].toSorted());
});

test.each([
  ['without a price', { price: undefined, price_for: undefined, currency: undefined }],
  ['without a last day', { valid_until: undefined }],
  ['without its weight', { kilos: undefined }],
  ['for zero kilos', { kilos: 0 }],
  ['marked as a question', { kind: 'pregunta' }],
  ['marked as a message', { kind: 'mensaje' }],
  ['without a kind', { kind: undefined }],
])('the database refuses an offer %s', async (_, changes) => {
  const id = await taken();
  const row = Object.fromEntries(Object.entries({ ...OFFER, ...changes }).filter(([, value]) => value !== undefined));
  await fails(put(ana, 'quote_answers', { quote_id: id, body: 'Sale.', ...row }), row['kind'] ? '23514' : '23502');
});

test('a valid offer can be accepted once, and the desk then shows the accepted price', async () => {
  const { id, offer } = await offeredBy(ana);
  expect(await stateOf(id, offer)).toBe('vigente');
  const press = { id: randomUUID() };
  expect(await accept(id, offer, press)).toMatchObject({ verdict: 'vale' });
  await reply(id, { ...press, answer_id: offer, kind: 'aceptada', body: '' });
  const accepted = await lead(id);
  const shown = { reply_waiting: true, reply_verdict: 'vale', accepted_state: 'aceptada', accepted_kilos: 1200 };
  expect(accepted).toMatchObject(shown);
  expect(await accept(id, offer)).toMatchObject({ verdict: 'repetida' });
  expect(await lead(id)).toEqual(accepted);
  expect(await codes(id)).toEqual(['creada', 'tomada', 'respondida', 'contestada']);
});

test('an acceptance of a replaced offer does not bind, and reopens the lead', async () => {
  const id = await taken();
  const [older, newer] = [await answer(ana, id, OFFER), await answer(ana, id, { ...OFFER, price: '3.90' })];
  expect([await stateOf(id, older), await stateOf(id, newer)]).toEqual(['reemplazada', 'vigente']);
  expect(await lead(id)).toMatchObject({
    offered: expect.toSatisfy((sum) => Number(sum) === 3.9 * 1200),
    offered_currency: 'USD',
  });
  expect(await accept(id, older)).toMatchObject({ verdict: 'reemplazada' });
  expect(await lead(id)).toMatchObject({ open: true, reply_verdict: 'reemplazada', accepted_state: null });
  expect(await accept(id, newer)).toMatchObject({ verdict: 'vale' });
  expect(Number((await lead(id))['accepted_price'])).toBe(3.9);
  expect((await alertsOf(id)).slice(-1)).toEqual(['aceptada']);
});

test('an answer that is no offer cannot be accepted', async () => {
  const id = await taken();
  for (const kind of ['pregunta', 'mensaje'])
    expect(await accept(id, await answer(ana, id, { kind }))).toMatchObject({ verdict: 'sinoferta' });
});

test('an expired offer binds only if the desk confirms a late acceptance', async () => {
  const { id, offer } = await offeredBy(ana);
  await age(offer, 2);
  expect(await stateOf(id, offer)).toBe('vencida');
  expect(await lead(id)).toMatchObject({ offered: null, offered_currency: null });
  expect(await accept(id, offer)).toMatchObject({ verdict: 'vencida' });
  await fails(move(ana, id, offer, 'aceptada'), 'PT409', 'moved');
  const { verdict, pressed_at } = await accept(id, offer, { hace: 2 * 86_400 });
  expect([verdict, pressed_at < new Date(Date.now() - 86_400_000)]).toEqual(['vencida', true]);
  // The late acceptance had reopened the lead like a question, and the answer closes it again.
  await answer(ana, id);
  const dealtWith = await lead(id);
  expect(dealtWith).toMatchObject({ open: false });
  await move(ana, id, offer, 'aceptada');
  expect(await stateOf(id, offer)).toBe('aceptada');
  const confirmed = await lead(id);
  expect(confirmed).toMatchObject({ accepted_state: 'aceptada', open: true });
  expect(Number(confirmed['asked_at'])).toBeGreaterThan(Number(dealtWith['asked_at']));
});

test('a late acceptance of one offer does not cancel the booking of another', async () => {
  const id = await taken();
  const over = await answer(ana, id, OFFER);
  await age(over, 2);
  await accept(id, over, { hace: 2 * 86_400 });
  const booked = await answer(ana, id, OFFER);
  await accept(id, booked);
  await move(ana, id, booked, 'reservada', { word: 'Sale el jueves.', reference: 'AWB-1' });
  await fails(move(ana, id, over, 'aceptada'), 'PT409', 'moved');
  expect(await lead(id)).toMatchObject({ accepted_state: 'reservada', accepted_reference: 'AWB-1' });
});

test('an acceptance that is sent again after a restore binds only if the offer is valid', async () => {
  const id = await taken();
  const over = await answer(ana, id, OFFER);
  await age(over, 2);
  const entregada = new Date(Date.now() - 2 * 86_400_000);
  // `hace` says that the customer accepted a day ago, `entregada` that the acceptance was first delivered two days ago.
  // The earlier of these times counts.
  expect(await accept(id, over, { entregada, hace: 86_400 })).toMatchObject({
    verdict: 'vencida',
    pressed_at: entregada,
  });
  expect(await lead(id)).toMatchObject({ accepted_state: null, open: true });
  await move(ana, id, over, 'aceptada');
  expect(await stateOf(id, over)).toBe('aceptada');

  const other = await taken();
  expect(await accept(other, await answer(ana, other, OFFER), { entregada })).toMatchObject({ verdict: 'vale' });
});

test('the time of an acceptance is never before the time of its offer', async () => {
  const { id, offer } = await offeredBy(ana);
  const { pressed_at } = await accept(id, offer, { hace: 2_000_000_000 });
  const sql = 'select created_at as pressed_at from public.quote_answers where id = $1';
  expect(await owner(sql, [offer])).toEqual([{ pressed_at }]);
});

test('an offer is withdrawn only with a reason, and cannot be accepted afterwards', async () => {
  const { id, offer } = await offeredBy(ana);
  await fails(move(ana, id, offer, 'retirada'), '23514');
  await move(ana, id, offer, 'retirada', { word: 'El vuelo se llenó' });
  expect(await accept(id, offer)).toMatchObject({ verdict: 'retirada' });
  expect(await codes(id)).toEqual(['creada', 'tomada', 'respondida', 'retirada', 'contestada']);
  // An acceptance of a withdrawn offer does not bind, so the desk gets the alert for a question.
  expect(await alertsOf(id)).toEqual(['respuesta', 'resultado', 'pregunta']);
});

test('a lead with an accepted offer stays open until space is booked or refused', async () => {
  const { id, offer } = await offeredBy(ana);
  await accept(id, offer);
  for (const status of ['respondida', 'ganada', 'perdida'])
    await fails(setStatus(ana, id, status), 'PT409', 'accepted');
  await fails(answer(ana, id, OFFER), 'PT409', 'accepted');
  await answer(ana, id);
  expect(await lead(id)).toMatchObject({ open: true });
  await move(ana, id, offer, 'reservada', { word: 'Entregue el jueves a las 9', reference: '020-12345675' });
  expect(await lead(id)).toMatchObject({
    open: false,
    status: 'ganada',
    accepted_state: 'reservada',
    accepted_reference: '020-12345675',
  });
  await fails(move(ana, id, offer, 'sinespacio'), 'PT409', 'moved');
  expect((await codes(id)).slice(-1)).toEqual(['reservada']);
  await reply(id);
  await fails(answer(ana, id, OFFER), 'PT409', 'accepted');
  await answer(ana, id);
  const booked = { status: 'ganada', accepted_state: 'reservada', accepted_reference: '020-12345675' };
  expect(await lead(id)).toMatchObject({ ...booked, open: false });
  expect((await alertsOf(id)).slice(-2)).toEqual(['resultado', 'respuesta']);
});

test('a lead whose offer had no space can get another offer or be closed as lost', async () => {
  const { id, offer } = await offeredBy(ana);
  await accept(id, offer);
  await move(ana, id, offer, 'sinespacio');
  expect(await lead(id)).toMatchObject({ open: false, status: 'respondida' });
  await answer(ana, id, { ...OFFER, price: '4.50' });
  await setStatus(ana, id, 'perdida', 'espacio');
  expect(await lead(id)).toMatchObject({ status: 'perdida', lost_reason: 'espacio' });
  await fails(setStatus(ana, id, 'perdida', 'porque sí'), '23514');
});

const lost = async () => {
  const offered = await offeredBy(ana);
  await setStatus(ana, offered.id, 'perdida', 'precio');
  return offered;
};

test.each([
  ['reservada', 'ganada'],
  ['sinespacio', 'respondida'],
] as const)('an offer of a lost lead that is accepted after all can end as %s', async (state, status) => {
  const { id, offer } = await lost();
  await accept(id, offer);
  await move(ana, id, offer, state, { word: 'Entregue el jueves a las 9' });
  expect(await lead(id)).toMatchObject({ status, lost_reason: null, open: false });
});

test('a new offer from the command line makes the lead answered instead of lost', async () => {
  const { id } = await lost();
  await answer(service, id, { ...OFFER, price: '3.90' });
  expect(await lead(id)).toMatchObject({ status: 'respondida', lost_reason: null });
});

test('an accepted offer waits for its booking even if the quote is corrected afterwards', async () => {
  const { id, offer } = await offeredBy(ana);
  await accept(id, offer);
  const corrected = sampleQuote({ reemplaza: folioOf(id) });
  await put(presenting(corrected.id, id), 'quotes', corrected);
  expect(await lead(id)).toMatchObject({ replaced_by: corrected.id, accepted_state: 'aceptada', open: true });
  const late = await owner(
    `select private.is_wanted(a, d, a.due_at) as wanted from public.alerts as a
     join public.quote_desk as d on d.quote_id = a.quote_id and d.asked_at = a.asked_at
     where a.quote_id = $1 and a.kind = 'tarde'`,
    [id],
  );
  expect(late).toEqual([{ wanted: true }]);
  await move(ana, id, offer, 'reservada', { word: 'Entregue el jueves a las 9' });
  expect(await lead(id)).toMatchObject({ open: false, status: 'ganada' });
});

test('an offer’s state can be changed only by the owner of its lead', async () => {
  const { id, offer } = await offeredBy(ana);
  const word = { word: 'Cambió la tarifa' };
  await fails(move(beto, id, offer, 'retirada', word), 'PT409', 'owned');
  await fails(move(presenting(id), id, offer, 'retirada', word));
  await fails(ask(presenting(id), "update public.quote_offers set state = 'aceptada' where answer_id = $1", [offer]));
  await fails(ask(ana, "update public.quote_offers set state = 'vigente' where answer_id = $1", [offer]));
  const withdrawal = { ...word, id: randomUUID() };
  await move(ana, id, offer, 'retirada', withdrawal);
  await move(ana, id, offer, 'retirada', withdrawal);
  await fails(owner("update public.offer_moves set word = 'otra' where id = $1", [withdrawal.id]));
  const other = await taken();
  expect(await stateOf(other, offer)).toBeUndefined();
  await fails(move(ana, other, offer, 'retirada', word), 'PT409', 'moved');
});

test('an offer that is accepted and withdrawn at once ends in the same state everywhere', async () => {
  for (let round = 0; round < 8; round += 1) {
    const { id, offer } = await offeredBy(ana);
    const [accepted, withdrawn] = await Promise.allSettled([
      accept(id, offer),
      move(ana, id, offer, 'retirada', { word: 'Tarde' }),
    ]);
    const verdict = accepted.status === 'fulfilled' && accepted.value.verdict;
    expect([
      ['vale', 'aceptada', 'rejected'],
      ['retirada', 'retirada', 'fulfilled'],
    ]).toContainEqual([verdict, await stateOf(id, offer), withdrawn.status]);
  }
});
