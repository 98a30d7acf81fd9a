import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { AIRPORTS, JOURNEY, STEPS, ZONES } from '../../src/lead/shipment.ts';
import { readWaybill } from '../../src/lead/waybill.ts';
import { insertion, presenting, service, staffMember, stranger, UNGUARDED, visitor, type Caller } from './callers.ts';
import { actsOn, fails, ONCE } from './lead-acts.ts';
import { engineOfFile } from './engines.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const [ana, beto] = [staffMember('Ana'), staffMember('Beto')];
const eva = staffMember('Eva', { supervisor: true });

const engine = await engineOfFile();

const { owner, asOwner, ask, put, offeredBy, accept, move, codes, block, lead } = actsOn(engine);
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds);

/** Books an offer of three days ago, in a lead that Ana or another colleague owns. */
async function booked(colleague = ana) {
  const { id: quote_id, offer: answer_id } = await offeredBy(colleague);
  await asOwner(
    `${UNGUARDED} update public.quote_answers set created_at = now() - interval '3 days' where id = '${answer_id}'`,
  );
  await accept(quote_id, answer_id);
  await move(colleague, quote_id, answer_id, 'reservada', { word: 'Le llamamos.' });
  return { quote_id, answer_id };
}
type Booked = Awaited<ReturnType<typeof booked>>;
const say = async (caller: Caller, shipment: Booked, step: string, more: object = {}) => {
  const row = { id: randomUUID(), ...shipment, step, ...more };
  await ask(caller, ...insertion('shipment_steps', row, ONCE, 'returning id'));
  return row.id;
};
const fly = (caller: Caller, shipment: Booked, more: object = {}) =>
  put(caller, 'shipment_flights', { ...shipment, flight: 'CZ8412', flight_day: dayFrom(2), origin: 'TIJ', ...more });
/** Claims the due alerts of a kind after these milliseconds. Returns the number of mails to the customer. */
async function messagesOf({ quote_id }: Booked, kind: string, after: number): Promise<number> {
  const milliseconds = "now() + $1 * interval '1 millisecond'";
  await owner(`select public.claim_alerts(${milliseconds}, '{customer}', array[$2])`, [after, kind]);
  const sql = `select from public.alert_messages as m join public.alerts as a on a.id = m.alert_id
    where a.quote_id = $1 and a.kind = $2`;
  return (await owner(sql, [quote_id, kind])).length;
}
const dayFrom = (days: number) => new Date(Date.now() + days * 24 * HOUR).toISOString().slice(0, 10);
const stepsOf = async ({ quote_id, answer_id }: Booked) => {
  const sql = 'select track from public.quote_words where id = $1';
  const [row] = await ask<{ track: { steps: { step: string }[] } | null }>(presenting(quote_id), sql, [answer_id]);
  return row!.track?.steps.map(({ step }) => step);
};
const alertsOf = async ({ quote_id }: Booked) =>
  owner<{ id: string; about: string; is_news: boolean }>(
    `select a.id, a.about, private.is_step_news(a) as is_news from public.alerts as a where quote_id = $1 and kind = 'paso' order by a.id`,
    [quote_id],
  );

test('database and page agree on time zones, order of milestones and check digits', async () => {
  const [row] = await owner<{ zones: object; ranks: object }>(
    `select (select jsonb_object_agg(place, private.zone_of(place)) from unnest($1::text[]) as place) as zones,
            (select jsonb_object_agg(step, private.step_rank(step)) from unnest($2::text[]) as step) as ranks`,
    [[...AIRPORTS, 'CGO'], STEPS],
  );
  expect(row!.zones).toEqual(ZONES);
  expect(row!.ranks).toEqual({ ...Object.fromEntries(JOURNEY.map((step, at) => [step, at + 1])), detenida: null });
  const numbers = Array.from({ length: 500 }, () => String(Math.floor(Math.random() * 1e11)).padStart(11, '0'));
  const valid = await owner<{ digits: string }>(
    'select digits from unnest($1::text[]) as digits where private.is_waybill(digits)',
    [numbers],
  );
  expect(valid.map(({ digits }) => digits)).toEqual(numbers.filter((each) => readWaybill(each).kind === 'waybill'));
});

test('milestones of a shipment are recorded only by its owner, a supervisor or the operator', async () => {
  const shipment = await booked();
  await fails(say(beto, shipment, 'recolectada'), 'PT409', 'owned');
  await fails(fly(beto, shipment), 'PT409', 'owned');
  for (const caller of [visitor, presenting(shipment.quote_id)]) {
    await fails(say(caller, shipment, 'recolectada'));
    await fails(ask(caller, 'select * from public.shipment_steps'));
    await fails(ask(caller, 'select * from public.desk_shipments'));
  }
  await say(ana, shipment, 'recolectada', { at: ago(3 * HOUR) });
  await say(eva, shipment, 'recibida', { at: ago(2 * HOUR) });
  await say(service, shipment, 'envuelo', { at: ago(HOUR), author_name: 'archivo' });
  await fly(eva, shipment);
  expect(await stepsOf(shipment)).toEqual(['recolectada', 'recibida', 'envuelo']);
  const change = 'update public.shipment_steps set at = now() where quote_id = $1';
  await fails(ask(eva, change, [shipment.quote_id]));
  await fails(owner(change, [shipment.quote_id]));
});

test('a flight that is saved again is stored only if it was changed', async () => {
  const shipment = await booked();
  const times = { departs_at: `${dayFrom(2)}T20:00:00Z`, arrives_at: null };
  for (const flight of ['CZ8412', 'CZ8412', 'CZ8414', 'CZ8412']) await fly(ana, shipment, { ...times, flight });
  const sql = 'select flight from public.shipment_flights where answer_id = $1 order by created_at, id';
  const stored = await owner<{ flight: string }>(sql, [shipment.answer_id]);
  expect(stored.map(({ flight }) => flight)).toEqual(['CZ8412', 'CZ8414', 'CZ8412']);
  expect(await alertsOf(shipment)).toHaveLength(3);
});

test('other phones cannot read a shipment, and a blocked quote accepts no milestone', async () => {
  const [shipment, other] = [await booked(), await booked()];
  await say(ana, shipment, 'recolectada');
  const { quote_id } = shipment;
  const seenBy = (caller: Caller, view: string) =>
    ask(caller, `select from public.${view} where quote_id = $1`, [quote_id]);
  expect(await seenBy(presenting(other.quote_id), 'quote_words')).toEqual([]);
  await block(quote_id);
  expect(await seenBy(presenting(quote_id), 'quote_words')).toEqual([]);
  expect(await seenBy(ana, 'desk_shipments')).toEqual([]);
  await fails(say(service, shipment, 'recibida'), 'PT409', 'unbooked');
});

test('an offer that is not booked has no milestones', async () => {
  const { id: quote_id, offer } = await offeredBy(ana);
  const refused = (answer_id: typeof offer) =>
    fails(say(ana, { quote_id, answer_id }, 'recolectada'), 'PT409', 'unbooked');
  await refused(offer);
  await accept(quote_id, offer);
  await refused(offer);
  await refused((await booked()).answer_id);
});

test('milestones may be recorded late, but their times must follow the order of the journey', async () => {
  const shipment = await booked();
  await say(ana, shipment, 'envuelo', { at: ago(5 * HOUR) });
  await say(ana, shipment, 'recolectada', { at: ago(9 * HOUR) });
  for (const hours of [4, 10]) await fails(say(ana, shipment, 'recibida', { at: ago(hours * HOUR) }), 'PT409', 'order');
  await say(ana, shipment, 'recibida', { at: ago(5.5 * HOUR) });
  await fails(say(ana, shipment, 'envuelo', { at: ago(HOUR) }), 'PT409', 'repeated');
  for (const at of [ago(-HOUR), 'infinity']) await fails(say(ana, shipment, 'llegada', { at }), 'PT409', 'future');
  for (const at of [ago(99 * HOUR), '-infinity'])
    await fails(say(ana, shipment, 'detenida', { at, word: 'Lluvia' }), 'PT409', 'early');
  await say(ana, shipment, 'detenida', { at: ago(7 * HOUR), word: 'Revisión militar' });
  await say(ana, shipment, 'detenida', { at: ago(6 * HOUR), word: 'Falta un sello' });
  await say(ana, shipment, 'entregada', { at: ago(HOUR), waste: '0.5' });
  await fails(say(ana, shipment, 'detenida', { word: 'Lluvia' }), 'PT409', 'order');
  const steps = await stepsOf(shipment);
  expect(steps?.join(' ')).toBe('recolectada detenida detenida recibida envuelo entregada');
  expect(await lead(shipment.quote_id)).toMatchObject({ step: 'entregada', status: 'ganada' });
});

test.each([
  ['a delay without a reason', 'detenida', {}],
  ['a blank reason', 'detenida', { word: ' ' }],
  ['a reason for a take-off', 'envuelo', { word: 'Salió' }],
  ['spoilage before delivery', 'llegada', { waste: '1' }],
  ['more spoilage than cargo', 'entregada', { waste: '100.1' }],
  ['spoilage that is no number', 'entregada', { waste: 'NaN' }],
])('the database refuses %s', async (_, step, more) => {
  await fails(say(ana, await booked(), step, more), '23514');
});

test.each([
  ['a wrong check digit in the waybill', { waybill: '78412345674' }],
  ['a waybill of ten digits', { waybill: '7841234567' }],
  ['a day that is not the local day of departure', { departs_at: `${dayFrom(2)}T05:00:00Z` }],
  ['a cut-off after departure', { departs_at: `${dayFrom(2)}T20:00:00Z`, cutoff_at: `${dayFrom(2)}T21:00:00Z` }],
  ['infinity as the pick-up time', { pickup_at: 'infinity' }],
  ['minus infinity as the pick-up time', { pickup_at: '-infinity' }],
  ['a day too far in the future', { flight_day: '2999-11-28' }],
  ['a flight number without digits', { flight: 'CZ' }],
])('the database refuses a flight with %s', async (_, more) => {
  await fails(fly(ana, await booked(), more), '23514');
});

test('a milestone can be taken back, and recorded again', async () => {
  const shipment = await booked();
  const wrong = await say(ana, shipment, 'llegada', { at: ago(HOUR) });
  await say(ana, shipment, 'anulada', { corrects: wrong });
  expect(await stepsOf(shipment)).toBeUndefined();
  expect(await lead(shipment.quote_id)).toMatchObject({ step: null });
  await fails(say(ana, shipment, 'anulada', { corrects: wrong }), 'PT409', 'gone');
  await fails(say(ana, await booked(), 'anulada', { corrects: wrong }), 'PT409', 'gone');
  await say(ana, shipment, 'llegada', { at: ago(2 * HOUR) });
  expect(await stepsOf(shipment)).toEqual(['llegada']);
  expect((await codes(shipment.quote_id)).slice(-4)).toEqual(['reservada', 'paso', 'paso', 'paso']);
});

test('a milestone that arrives twice is stored once, and alerts nobody again', async () => {
  const shipment = await booked();
  const id = await say(ana, shipment, 'recolectada', { at: ago(HOUR) });
  const before = [await codes(shipment.quote_id), await alertsOf(shipment)];
  await say(ana, shipment, 'recolectada', { id, at: ago(HOUR) });
  expect([await codes(shipment.quote_id), await alertsOf(shipment)]).toEqual(before);
});

test('the customer is reminded of missing documents once, two days before the cut-off', async () => {
  const mark = ({ quote_id }: Booked, estado: string) =>
    put(presenting(quote_id), 'shipment_papers', { id: randomUUID(), quote_id, papel: 'factura', estado });
  const [lacking, ready, unmarked] = [await booked(), await booked(), await booked()];
  for (const shipment of [lacking, ready, unmarked]) {
    if (shipment !== unmarked) await mark(shipment, 'pedida');
    await fly(ana, shipment, { flight_day: dayFrom(5), cutoff_at: ago(-5 * 24 * HOUR) });
  }
  await mark(ready, 'tengo');
  const reminders: number[] = [];
  for (const days of [2, 3.5, 4]) reminders.push(await messagesOf(lacking, 'papeles', days * 24 * HOUR));
  for (const other of [unmarked, ready]) reminders.push(await messagesOf(other, 'papeles', 4 * 24 * HOUR));
  expect(reminders).toEqual([0, 1, 1, 1, 0]);
});

test('several milestones within a minute cause one message to the customer', async () => {
  const shipment = await booked();
  const at = (seconds: number) => messagesOf(shipment, 'paso', seconds * 1000);
  await say(ana, shipment, 'recolectada', { at: ago(9 * HOUR) });
  expect(await at(1)).toBe(1);
  await say(ana, shipment, 'recibida', { at: ago(8 * HOUR) });
  await say(ana, shipment, 'envuelo', { at: ago(7 * HOUR) });
  expect(await at(1)).toBe(1);
  expect(await at(61)).toBe(2);
  const wrong = await say(ana, shipment, 'llegada', { at: ago(HOUR) });
  await say(ana, shipment, 'anulada', { corrects: wrong });
  expect(await at(300)).toBe(2);
  const told = await say(ana, shipment, 'llegada', { at: ago(HOUR) });
  expect(await at(600)).toBe(3);
  await say(ana, shipment, 'aduana', { at: ago(30 * MINUTE) });
  await say(ana, shipment, 'anulada', { corrects: await say(ana, shipment, 'liberada', { at: ago(20 * MINUTE) }) });
  expect(await at(750)).toBe(4);
  // Customers who know of a milestone are also told that it was wrong.
  await say(ana, shipment, 'anulada', { corrects: told });
  expect(await at(900)).toBe(5);
});

test('a trial import of milestones stores nothing, and announces what the real import does', async () => {
  const [mine, others] = [await booked(), await booked(beto)];
  const row = (shipment: Booked, step: string, hours: number, more: object = {}) => ({
    id: randomUUID(),
    ...shipment,
    step,
    at: ago(hours * HOUR),
    ...more,
  });
  const steps = [
    row(mine, 'recolectada', 30),
    row(mine, 'llegada', 9),
    // The time of the next row is before the pick-up (`recolectada`). The row after it repeats the arrival.
    row(mine, 'recibida', 31),
    row(mine, 'llegada', 8),
    row(mine, 'detenida', 20),
    row(mine, 'entregada', 1, { waste: '0.5' }),
    { ...row(mine, 'aduana', 5), at: 'ayer' },
    row(others, 'recolectada', 30),
    row({ ...mine, answer_id: others.answer_id }, 'recolectada', 30),
  ];
  const bring = async (caller: Caller, is_trial = false) => {
    const request = { steps: JSON.stringify(steps), is_trial };
    const statement = insertion('step_imports', request, '', 'returning outcomes');
    return (await ask<{ outcomes: string[] }>(caller, ...statement))[0]!.outcomes;
  };
  const outcomes = ['stored', 'stored', 'order', 'repeated', 'shipment_steps_word_check', 'stored', '22007'];
  const before = [await codes(mine.quote_id), await alertsOf(mine)];
  expect(await bring(ana, true)).toEqual([...outcomes, 'owned', 'unbooked']);
  expect([await codes(mine.quote_id), await alertsOf(mine)]).toEqual(before);
  expect(await bring(ana)).toEqual([...outcomes, 'owned', 'unbooked']);
  expect(await stepsOf(mine)).toEqual(['recolectada', 'llegada', 'entregada']);
  const after = [await codes(mine.quote_id), await alertsOf(mine)];
  const there = outcomes.map((outcome) => (outcome === 'stored' ? 'there' : outcome));
  expect(await bring(ana)).toEqual([...there, 'owned', 'unbooked']);
  expect([await codes(mine.quote_id), await alertsOf(mine)]).toEqual(after);
  expect(await bring(eva, true)).toEqual([...there, 'stored', 'unbooked']);
  const authors = 'select distinct author_name from public.shipment_steps where quote_id = $1';
  expect(await ask(ana, authors, [mine.quote_id])).toEqual([{ author_name: 'Ana' }]);
  const ours = row(await booked(), 'recolectada', 1);
  for (const caller of [visitor, stranger]) await fails(put(caller, 'step_imports', { steps: JSON.stringify([ours]) }));
  expect(await ask(ana, 'select from public.shipment_steps where id = $1', [ours.id])).toEqual([]);
  expect(await owner('select from public.step_imports')).toEqual([]);
});

test('the figures about shipments agree with the stored events', async () => {
  const shipments = await Promise.all([booked(), booked(), booked()]);
  const recorded: object[] = [];
  for (const [at, shipment] of shipments.entries()) {
    const times = { flown_at: ago(30 * HOUR), landed_at: ago((14 - at) * HOUR), delivered_at: ago(HOUR) };
    recorded.push({ ...times, waste: at / 2 });
    await fly(ana, shipment, { waybill: '78412345675' });
    await say(ana, shipment, 'envuelo', { at: times.flown_at });
    const wrong = await say(ana, shipment, 'llegada', { at: ago(2 * HOUR) });
    await say(ana, shipment, 'anulada', { corrects: wrong });
    await say(ana, shipment, 'llegada', { at: times.landed_at });
    await say(ana, shipment, 'entregada', { at: times.delivered_at, waste: String(at / 2) });
  }
  const ids = shipments.map(({ quote_id }) => quote_id);
  // Each stored milestone and flight must have an event, and each event a milestone or flight.
  const rows = await owner<{ code: string; ref: string | null; id: string | null }>(
    `select e.code, e.ref, r.id from (select * from public.quote_events where quote_id = any ($1) and code in ('paso', 'vuelo')) as e
     full join (select id, 'paso' as code from public.shipment_steps where quote_id = any ($1)
                union all select id, 'vuelo' from public.shipment_flights where quote_id = any ($1)) as r
       on r.id = e.ref and r.code = e.code`,
    [ids],
  );
  expect(rows).toHaveLength(3 * 6);
  expect(rows.filter(({ ref, id }) => ref === null || ref !== id)).toEqual([]);
  const sql = `select flown_at, landed_at, delivered_at, waste::float from public.desk_shipments
    where quote_id = any ($1) order by waste`;
  expect(await owner(sql, [ids])).toEqual(recorded);
});
