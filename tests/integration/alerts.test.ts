import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { keysOf } from '../../server/alerts/embedded.ts';
import { alertWords, collectedWords } from '../../src/content/alerts.ts';
import { folioOf } from '../../src/lead/folio.ts';
import { quoteTag } from '../../src/lead/quote-tag.ts';
import { alertScene, MINUTE, pushes, SITE } from './alert-scene.ts';
import { insertion, presenting, service, staffMember } from './callers.ts';
import { OFFER } from './lead-acts.ts';
import { engineOfFile } from './engines.ts';
import type { SampleQuote } from './sample-quote.ts';

const [ana, beto] = [staffMember('Ana'), staffMember('Beto')];
const engine = await engineOfFile();

const scene = alertScene(engine);
const { offeredBy, answeredBy, asOwner, ask, owner, refused, take, answer, move, reply, saw, block, send } = scene;
const { listen, deviceOf, phoneOf, look, shownOn } = scene;

const devices = async () => [await deviceOf(ana), await deviceOf(beto)] as const;
const countsOf = (names: readonly string[]) => names.map((name) => shownOn(name).length);

test('the server creates its push keys once, and always uses the same keys', async () => {
  expect(await keysOf(engine.database)).toEqual(scene.keys);
  expect(Buffer.from(scene.keys.public_key, 'base64url')).toHaveLength(65);
  expect(Buffer.from(scene.keys.private_key, 'base64url')).toHaveLength(32);
});

test('a new lead alerts all colleagues at once, three times before its deadline, and when late', async () => {
  const [anas, betos] = await devices();
  const folio = folioOf((await send()).id);
  const expected = [
    [0, `Solicitud nueva ${folio}`],
    [60, `${folio} espera respuesta: queda una hora`],
    [90, `${folio} espera respuesta: quedan 30 minutos`],
    [110, `${folio} espera respuesta: quedan 10 minutos`],
    [120, `${folio} sin respuesta: el plazo ya pasó`],
  ] as const;
  for (const [at, [minutes, title]] of expected.entries()) {
    if (minutes > 0) await look(minutes - 0.5);
    expect(shownOn(anas)).toHaveLength(at);
    scene.ahead = minutes * MINUTE + 5000;
    await Promise.all([look(), look()]);
    await look();
    expect(shownOn(anas).slice(at)).toEqual([title]);
  }
  expect(shownOn(betos)).toEqual(shownOn(anas));
  expect(await look(26 * 60)).toEqual([]);
});

test('alerts about an owned lead reach only its owner, and end with the answer', async () => {
  const told = await devices();
  await take(beto, await send());
  await look();
  expect(countsOf(told)).toEqual([0, 0]);
  const quote = await send();
  await look();
  await take(ana, quote);
  await look(61);
  expect(shownOn(told[0]).at(-1)).toContain(folioOf(quote.id));
  const before = countsOf(told);
  await answer(ana, quote);
  await look(70);
  expect([before[0], countsOf(told)[0]]).toEqual([2, 2]);
  expect(shownOn(told[1]).filter((title) => title.includes(folioOf(quote.id)))).toHaveLength(1);
});

test('two leads that arrived while the server was stopped cause one alert', async () => {
  const anas = await deviceOf(ana);
  for (let each = 0; each < 2; each += 1) await send();
  await look(95);
  expect(shownOn(anas)).toEqual([collectedWords.quedan30(2).es]);
});

test('a question or acceptance alerts the lead’s owner, and sets a new deadline of two hours', async () => {
  const [anas, betos] = await devices();
  const { id, offer: answer_id } = await offeredBy(ana);
  await look();
  await reply(id, { answer_id });
  expect(await look()).toMatchObject([[{ kind: 'pregunta', leads: 1, attempts: 1 }, { kind: 'sent' }]]);
  expect(shownOn(anas)).toEqual([`Pregunta sobre ${folioOf(id)}`]);
  await look(61);
  expect(shownOn(anas).at(-1)).toMatch(/queda una hora/);
  await answer(ana, id);
  scene.ahead = 0;
  await reply(id, { answer_id, kind: 'aceptada', body: '' });
  await look();
  expect(shownOn(anas).at(-1)).toBe(alertWords.aceptada(folioOf(id)).es);
  expect(shownOn(betos)).toEqual([]);
});

test('a question is announced although another lead has a later question', async () => {
  const anas = await deviceOf(ana);
  const [first, second] = [await offeredBy(ana), await offeredBy(ana)];
  await look();
  for (const { id, offer: answer_id } of [first, second]) await reply(id, { answer_id });
  await look();
  expect(shownOn(anas).toSorted()).toEqual([first, second].map(({ id }) => `Pregunta sobre ${folioOf(id)}`).toSorted());
});

test('the alert says whether a customer replied to our question or asked a new question', async () => {
  const anas = await deviceOf(ana);
  const replied = async (...answers: readonly object[]) => {
    const { id, answer_id } = await answeredBy(ana, { kind: 'pregunta' });
    await look();
    await reply(id, { answer_id });
    for (const more of answers) await reply(id, more);
    await look();
    return [(await scene.lead(id))['reply_to'], shownOn(anas).at(-1)!.replace(folioOf(id), '…')];
  };
  expect(await replied()).toEqual(['pregunta', 'Cliente respondió: …']);
  expect(await replied({})).toEqual([null, 'Pregunta sobre …']);
});

test('three questions within a minute cause one alert, and an acceptance causes another', async () => {
  const anas = await deviceOf(ana);
  const { id, offer: answer_id } = await offeredBy(ana);
  await look();
  const question = `Pregunta sobre ${folioOf(id)}`;
  for (let count = 0; count < 3; count += 1) {
    await reply(id, { answer_id });
    await look();
  }
  await reply(id, { answer_id, kind: 'aceptada', body: '' });
  await reply(id, { answer_id });
  await look();
  expect(shownOn(anas)).toEqual([question]);
  await look(1.1);
  expect(shownOn(anas)).toEqual([question, alertWords.aceptada(folioOf(id)).es]);
  expect(await look(5)).toEqual([]);
});

test('a new quote and a question about it cause two alerts', async () => {
  const anas = await deviceOf(ana);
  const quote = await send();
  await reply(quote.id);
  await look();
  const folio = folioOf(quote.id);
  expect(shownOn(anas).toSorted()).toEqual([`Pregunta sobre ${folio}`, `Solicitud nueva ${folio}`]);
});

test('answers within a minute alert the customer’s phone once; an answer already shown alerts nobody', async () => {
  const quote = await send();
  const [phone, anas] = [await phoneOf(quote), await deviceOf(ana)];
  await take(ana, quote);
  for (let count = 0; count < 3; count += 1) {
    await answer(ana, quote);
    await look();
    await look();
  }
  expect(shownOn(phone)).toEqual([`Respuesta lista: ${folioOf(quote.id)}`]);
  await look(1.1);
  expect(shownOn(phone)).toHaveLength(2);
  await saw(quote.id, await answer(ana, quote));
  await look(3);
  expect(shownOn(phone)).toHaveLength(2);
  expect(shownOn(anas)).toEqual([]);
});

test('the outcome of an offer alerts the customer’s phone', async () => {
  const quote = await send();
  const phone = await phoneOf(quote);
  await take(ana, quote);
  const offer = await answer(ana, quote, OFFER);
  await saw(quote.id, offer);
  await move(ana, quote.id, offer, 'retirada', { word: 'Vuelo lleno.' });
  await look();
  expect(shownOn(phone)).toEqual([`Novedad en su solicitud ${folioOf(quote.id)}`]);
});

test('the team’s mailbox gets the alerts for the team, but no alerts for a phone', async () => {
  scene.mails = [];
  await deviceOf(ana);
  const quote = await send();
  await look();
  await look(61);
  await take(ana, quote);
  await answer(ana, quote);
  await look();
  const folio = folioOf(quote.id);
  expect(scene.mails).toEqual([`nueva ${folio}`, `quedan60 ${folio}`]);
});

// Clock changes in Tijuana: 8 March 2026 has no 2:30 at night, and 1 November 2026 has the hour from 1:00 twice.
test.each(['2026-03-08T09:30:00Z', '2026-11-01T07:30:00Z', '2026-11-01T08:30:00Z'])(
  'the answer time of two hours lasts 120 minutes although Tijuana’s clocks change (%s)',
  async (askedAt) => {
    const { id } = await send();
    await owner('delete from public.alerts where quote_id = $1', [id]);
    // The trigger would record this update as a release of the lead (`liberada`), so it is off during the update.
    await asOwner(`alter table public.quote_desk disable trigger quote_desk_rules;
         update public.quote_desk set asked_at = '${askedAt}' where quote_id = '${id}';
         alter table public.quote_desk enable trigger quote_desk_rules`);
    const due = await owner<{ kind: string; due_at: Date }>(
      'select kind, due_at from public.alerts where quote_id = $1 order by due_at',
      [id],
    );
    expect(due.map(({ kind, due_at }) => [kind, (due_at.getTime() - Date.parse(askedAt)) / MINUTE])).toEqual([
      ['quedan60', 60],
      ['quedan30', 90],
      ['quedan10', 110],
      ['tarde', 120],
    ]);
  },
);

test('an unblocked quote causes only the last alert of those due while the quote was blocked', async () => {
  const anas = await deviceOf(ana);
  const quote = await send();
  await look();
  pushes.pushed.length = 0;
  await block(quote.id);
  await look(180);
  expect(shownOn(anas)).toEqual([]);
  await block(quote.id, null);
  await look();
  await look();
  expect(shownOn(anas)).toEqual([expect.stringContaining('plazo ya pasó')]);
});

test('a blocked quote alerts nobody; an erased quote leaves no devices or alerts', async () => {
  const anas = await deviceOf(ana);
  const quote = await send();
  await phoneOf(quote);
  await block(quote.id);
  await look();
  expect(shownOn(anas)).toEqual([]);
  const device = { ...pushes.subscribe('x'), quote_id: quote.id };
  await refused(presenting(quote.id), ...insertion('push_devices', device, '', ''), '23503');
  await ask(service, 'delete from public.quotes where id = $1 returning id', [quote.id]);
  for (const table of ['alerts', 'push_devices'])
    expect(await owner(`select id from public.${table} where quote_id = $1`, [quote.id])).toEqual([]);
});

test('a hosted project accepts quotes although its database cannot call the alert function', async () => {
  // The alert function calls the extension pg_net. This database lacks pg_net, like a project that turned it off.
  await asOwner(`create trigger alerts_call after insert on public.alerts
         for each statement execute function private.alerts_call_function()`);
  onTestFinished(() => asOwner('drop trigger alerts_call on public.alerts'));
  const { id } = await send();
  const kinds = "select kind from public.alerts where quote_id = $1 and kind = 'nueva'";
  expect(await owner(kinds, [id])).toEqual([{ kind: 'nueva' }]);
});

test('a push message contains folio and kind of event, but no personal data', async () => {
  const anas = await deviceOf(ana);
  const quote = await send();
  const phone = await phoneOf(quote);
  await look();
  await take(ana, quote);
  await answer(ana, quote);
  await look();
  const folio = folioOf(quote.id);
  const tag = await quoteTag(quote.id);
  const words = { title: `Solicitud nueva ${folio}`, body: `New request ${folio}`, lang: 'es-MX' };
  const data = { message: expect.stringMatching(/^[0-9a-f-]{36}$/) as string };
  expect(pushes.pushed.map(({ payload }) => payload.notification)).toMatchObject([
    { ...words, tag, navigate: `${SITE}/mesa.html#${folio}`, data },
    { navigate: `${SITE}/#mis-cotizaciones`, tag, app_badge: 1 },
  ]);
  const all = JSON.stringify(pushes.pushed);
  for (const personal of [quote.nombre, quote.empresa, quote.email, quote.telefono, quote.id, ana.claims.email])
    expect(all).not.toContain(personal);
  expect([anas, phone]).toEqual(pushes.pushed.map(({ device }) => device));
});

test('the badge on a colleague’s icon counts open leads that are unassigned or the colleague’s own', async () => {
  const told = [await deviceOf(ana), await deviceOf(beto)];
  const badges = async () => {
    pushes.pushed.length = 0;
    // The alert times are moved back, because more than five new leads within ten minutes would share one alert.
    await owner("update public.alerts set asked_at = asked_at - interval '11 minutes'");
    await send();
    await look();
    return told.map((name) => pushes.pushed.find(({ device }) => device === name)!.payload.app_badge!);
  };
  // The badge also counts leads that earlier tests left.
  const earlier = await badges();
  const [taken, answered] = [await send(), await send()];
  await take(beto, taken);
  await take(ana, answered);
  await answer(ana, answered);
  expect(await badges()).toEqual([earlier[0]! + 1, earlier[1]! + 2]);
});

test('the badge on a customer’s app icon counts quotes with an unseen answer', async () => {
  const phone = pushes.subscribe('counted');
  const answered = async (times = 1) => {
    const quote = await send();
    await listen(presenting(quote.id), phone, { quote_id: quote.id });
    await take(ana, quote);
    let answerId = '';
    for (let nth = 0; nth < times; nth += 1) answerId = await answer(ana, quote);
    pushes.pushed.length = 0;
    await look();
    return { id: quote.id, answerId, badge: pushes.pushed[0]!.payload.app_badge };
  };
  const [twice, second] = [await answered(2), await answered()];
  expect([twice.badge, second.badge]).toEqual([1, 2]);
  await reply(second.id, { answer_id: second.answerId });
  const third = await answered();
  expect(third.badge).toBe(2);
  await saw(third.id, third.answerId);
  expect((await answered()).badge).toBe(2);
});

test('the alerts of two quotes with the same folio do not replace each other', async () => {
  const id = randomUUID();
  const twins = [await send({ id }), await send({ id: id.slice(0, 10) + randomUUID().slice(10) })];
  expect(folioOf(twins[0]!.id)).toBe(folioOf(twins[1]!.id));
  await deviceOf(ana);
  for (const twin of twins) await phoneOf(twin);
  await look();
  for (const twin of twins) {
    await take(ana, twin);
    await answer(ana, twin);
  }
  await look();
  expect(new Set(pushes.pushed.map(({ topic }) => topic)).size).toBe(4);
  const tags = pushes.pushed.map(({ payload }) => payload.notification['tag']);
  expect([tags.length, new Set(tags.slice(0, 2)).size]).toEqual([4, 2]);
  // The push service can read topic and tag, so neither may contain an id or a folio.
  const readable = JSON.stringify([tags, pushes.pushed.map(({ topic }) => topic)]);
  for (const secret of [...twins.map((twin) => twin.id), folioOf(id)]) expect(readable).not.toContain(secret);
});

const flood = async (count: number) => {
  const quotes: SampleQuote[] = [];
  for (let at = 0; at < count; at += 1) quotes.push(await send());
  return quotes;
};
const newOf = ({ id }: SampleQuote) => `Solicitud nueva ${folioOf(id)}`;
const hourLeft = ({ id }: SampleQuote) => `${folioOf(id)} espera respuesta: queda una hora`;
const lookUntil = async (minutes: number) => {
  for (; scene.ahead < minutes * MINUTE; scene.ahead += MINUTE) await look();
};

test('sixty quotes at once cause only ten alerts, which name all leads or their number', async () => {
  const anas = await deviceOf(ana);
  scene.mails = [];
  const first = (await flood(60)).slice(0, 5);
  await lookUntil(130);
  expect(shownOn(anas)).toHaveLength(10);
  expect(shownOn(anas).slice(0, 5).toSorted()).toEqual(first.map(newOf).toSorted());
  const { nueva, quedan60, quedan30, quedan10, tarde } = collectedWords;
  const reminders = [quedan60, quedan30, quedan10, tarde].map((says) => says(60).es);
  expect(shownOn(anas).slice(5)).toEqual([nueva(55).es, ...reminders]);
  expect(scene.mails).toHaveLength(10);
  const figures = 'select count(*)::integer as leads, count(sent_at)::integer as sent from public.desk_alerts';
  expect(await ask(ana, figures)).toEqual([{ leads: 60, sent: 60 }]);
});

test.each([
  { count: 9, purged: 0, blocked: 1, taken: 1, says: () => collectedWords.nueva(2).es },
  { count: 8, purged: 1, blocked: 0, taken: 1, says: ([left]: SampleQuote[]) => newOf(left!) },
  { count: 7, purged: 0, blocked: 0, taken: 7, says: () => undefined },
])('an alert about leads counts them again at each attempt: %o', async ({ count, purged, blocked, taken, says }) => {
  const anas = await deviceOf(ana);
  const quotes = await flood(count);
  scene.answerWith(503);
  await lookUntil(6);
  const collected = quotes.slice(taken > 2 ? 0 : 5);
  for (const { id } of collected.splice(0, purged + blocked)) await block(id);
  if (purged > 0) await ask(service, 'delete from public.quotes where id = $1', [quotes[5]!.id]);
  for (const quote of collected.splice(0, taken)) await take(beto, quote);
  scene.answerWith(201);
  scene.ahead += 20 * MINUTE;
  const ended = await look();
  const single = taken > 2 ? [] : quotes.slice(0, 5).map(newOf);
  const last = says(collected);
  expect(shownOn(anas).toSorted()).toEqual((last ? [...single, last] : single).toSorted());
  expect(ended.length).toBe(shownOn(anas).length);
  if (!last) expect(await owner('select from public.alert_messages where next_at is not null')).toEqual([]);
  // An alert about several leads links to the list, and contains no data of a single lead.
  const shared = pushes.pushed.find(({ payload }) => payload.notification['title'] === collectedWords.nueva(2).es);
  if (shared) expect(shared.payload.notification['navigate']).toBe(`${SITE}/mesa.html#`);
  for (const { id, empresa } of collected)
    for (const secret of [id, folioOf(id), empresa])
      expect(JSON.stringify(shared?.payload ?? '')).not.toContain(secret);
});

test('a reminder about several leads includes leads whose reminder is due within five minutes', async () => {
  const anas = await deviceOf(ana);
  const [, soon, later] = await flood(3);
  await look();
  pushes.pushed.length = 0;
  const delay = (quote: SampleQuote, minutes: number) =>
    owner(
      `update public.alerts set due_at = due_at + interval '${minutes} minutes' where quote_id = $1 and spread_at is null`,
      [quote.id],
    );
  await delay(soon!, 4);
  await delay(later!, 6);
  await look(60.1);
  const collected = collectedWords.quedan60(2).es;
  expect(shownOn(anas)).toEqual([collected]);
  await look(67);
  expect(shownOn(anas)).toEqual([collected, hourLeft(later!)]);
});

test('a reminder about several leads leaves out leads with an owner, who gets a separate reminder', async () => {
  const [anas, betos] = [await deviceOf(ana), await deviceOf(beto)];
  const [mine] = await flood(3);
  await look();
  await take(ana, mine!);
  pushes.pushed.length = 0;
  await look(60.1);
  const collected = collectedWords.quedan60(2).es;
  expect(new Set(shownOn(anas))).toEqual(new Set([collected, hourLeft(mine!)]));
  expect(shownOn(betos)).toEqual([collected]);
});
