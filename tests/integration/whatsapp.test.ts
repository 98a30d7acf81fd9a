import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { isDue, storeIn } from '../../server/alerts/embedded.ts';
import { folioOf } from '../../src/lead/folio.ts';
import { stepNames } from '../../src/content/step-names.ts';
import { linkCode } from '../../src/lead/quote-link.ts';
import { STEPS } from '../../src/lead/shipment.ts';
import { presenting, visitor } from './callers.ts';
import { fails, OFFER } from './lead-acts.ts';
import { engineOfFile } from './engines.ts';
import { APP_SECRET, failure, postHook, signatureOf, status, TOKEN, VERIFY_TOKEN, webhook } from './graph-server.ts';
import { overWhatsApp, ana, graph, SITE } from './over-whatsapp.ts';
import { dataDirectory, startServer } from './processes.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const engine = await engineOfFile();

test('the server accepts signed WhatsApp webhooks of up to 3 MB', async () => {
  const { server, address } = await startServer(await dataDirectory(), { ...graph.environment, LOG_FORMAT: 'json' });
  const subscribe = (token: string, challenge = '1158201444') =>
    fetch(`${address}/whatsapp?hub.mode=subscribe&hub.challenge=${challenge}&hub.verify_token=${token}`);
  const accepted = await subscribe(VERIFY_TOKEN);
  expect([accepted.status, await accepted.text()]).toEqual([200, '1158201444']);
  expect((await subscribe('wrong')).status).toBe(403);
  expect((await subscribe(VERIFY_TOKEN, '<script>')).status).toBe(403);
  const body = webhook({ statuses: [] });
  expect((await postHook(address, body)).status).toBe(200);
  expect((await postHook(address, body, signatureOf(body, 'another'))).status).toBe(401);
  expect((await fetch(`${address}/whatsapp`, { method: 'PUT', body })).status).toBe(405);
  const large = body + ' '.repeat(3 * 1024 * 1024 - body.length);
  expect((await postHook(address, large)).status).toBe(200);
  expect((await postHook(address, `${large} `)).status).toBe(413);
  await server.end('SIGTERM');
  for (const secret of [TOKEN, APP_SECRET, VERIFY_TOKEN]) expect(server.output + server.errors).not.toContain(secret);
});

test('the URL for WhatsApp webhooks does not exist without WhatsApp’s settings', async () => {
  const { address } = await startServer(await dataDirectory());
  expect((await postHook(address, webhook())).status).toBe(404);
});

const { ask, put, take, answer, accept, move, send, clock, now, look, hear, choose, wanting, states, alertsOf, open } =
  overWhatsApp(engine);

test('an offer is sent by WhatsApp once, as a template, to customers who allowed it', async () => {
  const quote = await wanting({ nombre: 'María\n\tJosé', telefono: '664 123 4567' });
  const silent = await send({ telefono: '664 123 4567' });
  await take(ana, silent);
  for (const each of [quote, silent]) await answer(ana, each, OFFER);
  await look();
  await look();
  const link = `${SITE}/#ver=${await linkCode(quote.id, undefined)}`;
  const parameters = ['María José', folioOf(quote.id), link].map((text) => ({ type: 'text', text }));
  const components = [{ type: 'body', parameters }];
  const template = { name: 'respuesta_lista', language: { code: 'es_MX' }, components };
  const sent = { messaging_product: 'whatsapp', to: '+526641234567', type: 'template', template };
  expect(graph.messages).toEqual([expect.objectContaining(sent)]);
  expect(await states(quote)).toMatchObject([{ delivery: 'sent', next_at: null, result: 'accepted' }]);
  expect(await states(silent)).toEqual([]);
});

test('an answer within a day of the customer’s message is sent as free text', async () => {
  const quote = await wanting({ telefono: '+52 1 664 123 4567' });
  await open(quote, Date.now() - 24 * HOUR + 5 * MINUTE);
  const offer = await answer(ana, quote, { ...OFFER, body: 'Sale el jueves. '.repeat(249).trim() });
  await look();
  const { type, to, text } = graph.messages[0]!;
  expect({ type, to }).toEqual({ type: 'text', to: '+526641234567' });
  const link = `${SITE}/#ver=${await linkCode(quote.id, undefined)}`;
  expect(text!.body.length).toBeLessThanOrEqual(4096);
  for (const part of ['*US $4.10 por kilo*', 'responda aquí.\nTo accept it', '28 de noviembre de 2999', link, 'BAJA'])
    expect(text!.body).toContain(part);

  // Five minutes later the customer’s message is more than 24 hours old, so WhatsApp allows only a template.
  clock.ahead = 5 * MINUTE;
  await accept(quote.id, offer);
  await move(ana, quote.id, offer, 'reservada', { word: 'Entregue el lunes.' });
  await look();
  expect(graph.messages[1]).toMatchObject({ type: 'template', template: { name: 'novedad_solicitud' } });
});

test('a customer who stopped WhatsApp messages gets no further messages', async () => {
  const quote = await wanting();
  await answer(ana, quote);
  await choose(quote, false);
  await look();
  expect(graph.messages).toEqual([]);
  const row = { id: randomUUID(), quote_id: quote.id, wanted: true };
  await fails(put(visitor, 'whatsapp_choices', row));
  expect(await ask(visitor, 'select id from public.whatsapp_choices')).toEqual([]);
  const ways = 'select * from public.customer_ways';
  expect(await ask(presenting(quote.id), ways)).toEqual([{ whatsapp: true, wanted: false }]);
  expect(await ask(visitor, ways)).toEqual([{ whatsapp: true, wanted: null }]);
  for (let more = 0; more < 8; more += 1) await choose(quote);
  await fails(choose(quote), 'PGRST');
});

test('a free text that WhatsApp refuses as too late is sent again as a template', async () => {
  const quote = await wanting();
  await open(quote);
  await answer(ana, quote);
  graph.state.verdict = ({ type }) => (type === 'text' ? 131047 : 'accepted');
  await look();
  expect(await states(quote)).toMatchObject([{ delivery: null, code: 131047 }]);
  await look();
  expect(graph.messages).toMatchObject([{ type: 'template' }]);
  expect(graph.messages[0]!.biz_opaque_callback_data).toMatch(/\.2$/);
  expect(await states(quote)).toMatchObject([{ delivery: 'sent', code: null }]);
});

test('a message is sent again only once if WhatsApp reports its refusal several times', async () => {
  const quote = await wanting();
  await open(quote);
  await answer(ana, quote);
  await look();
  const refused = webhook(status(graph.messages[0]!, 'failed', failure(131047)));
  await hear(refused, refused);
  await hear(webhook(status(graph.messages[0]!, 'sent')));
  graph.state.verdict = () => 'cut off';
  await look();
  expect(graph.messages.map(({ type }) => type)).toEqual(['text', 'template']);
  await hear(refused);
  await look();
  expect(graph.messages).toHaveLength(2);
  expect(await states(quote)).toMatchObject([{ delivery: 'sending', sent_at: null }]);
});

test('a WhatsApp message whose response was lost is not sent again, and alerts the team', async () => {
  const [confirmed, unknown] = [await wanting(), await wanting()];
  graph.state.verdict = () => 'cut off';
  for (const quote of [confirmed, unknown]) await answer(ana, quote);
  await look();
  expect(graph.messages).toHaveLength(2);
  expect(await states(confirmed)).toMatchObject([{ delivery: 'sending' }]);
  const mine = graph.messages.find(({ template }) =>
    template!.components[0]!.parameters.some(({ text }) => text === folioOf(confirmed.id)),
  )!;
  await hear(webhook(status(mine, 'delivered')));
  clock.ahead = 14 * MINUTE;
  await look();
  expect(await alertsOf('rebotado')).toBe(0);
  clock.ahead = 16 * MINUTE;
  await look();
  await look();
  expect(graph.messages).toHaveLength(2);
  expect(await states(confirmed)).toMatchObject([{ delivery: 'delivered', next_at: null }]);
  expect(await states(unknown)).toMatchObject([{ delivery: 'sending', next_at: null, result: 'unknown' }]);
  expect(await alertsOf('rebotado')).toBe(1);
});

test('a WhatsApp message is not sent again if the server was killed while sending it', async () => {
  const quote = await wanting();
  await answer(ana, quote);
  // The test claims the messages like a server that is killed before it stores the outcome.
  await storeIn(engine.database).claim(new Date(now()), ['whatsapp']);
  clock.ahead = 5 * MINUTE;
  await look();
  clock.ahead = HOUR;
  await look();
  expect(graph.messages).toEqual([]);
  expect(await states(quote)).toMatchObject([{ result: 'unknown' }]);
});

test('confirmations in any order never move a WhatsApp message back to an earlier state', async () => {
  const quote = await wanting();
  await answer(ana, quote);
  graph.state.verdict = () => 'cut off';
  await look();
  const [first] = graph.messages;
  const say = (state: string, more = {}) => webhook(status(first!, state, more));
  await hear(say('read'), say('sent'), say('failed', failure(131026)), say('delivered'), say('sent'), say('read'));
  expect(await states(quote)).toMatchObject([{ delivery: 'read', code: null }]);
  expect(await alertsOf('rebotado')).toBe(0);

  const other = await wanting();
  await answer(ana, other);
  graph.state.verdict = () => 'accepted';
  await look();
  const failed = graph.messages[1]!;
  await hear(webhook(status(failed, 'failed', failure(131026)), status(failed, 'sent')));
  expect(await states(other)).toMatchObject([{ delivery: 'failed', code: 131026, sent_at: null }]);
  expect(await alertsOf('rebotado')).toBe(1);
});

test('an expired token stops all WhatsApp messages, and alerts the team once', async () => {
  await answer(ana, await wanting());
  await look();
  const quotes = [await wanting(), await wanting()];
  for (const quote of quotes) await answer(ana, quote);
  graph.state.verdict = () => 190;
  await look();
  await look();
  expect(await alertsOf('sinwhatsapp')).toBe(1);
  // A confirmation of an earlier message does not show that the token is valid again.
  await hear(webhook(status(graph.messages[0]!, 'delivered')));
  const later = await wanting();
  await answer(ana, later);
  let asked = 0;
  graph.state.verdict = () => ((asked += 1), 'accepted');
  clock.ahead = 14 * MINUTE;
  await look();
  expect(asked).toBe(0);
  // The pause ends after 15 minutes. Until then the sender finds nothing to do, and writes nothing.
  expect(await isDue(engine.database, now())).toBe(false);
  clock.ahead = 16 * MINUTE;
  expect(await isDue(engine.database, now())).toBe(true);
  await look();
  expect(graph.messages).toHaveLength(4);
  for (const quote of [...quotes, later]) expect(await states(quote)).toMatchObject([{ delivery: 'sent', code: null }]);
  expect(await alertsOf('rebotado')).toBe(0);
});

test('a WhatsApp message over an unreliable connection arrives once, or the team gets an alert', async () => {
  const quote = await wanting();
  const faults = ['lost', 'cut off', 130429, 131056, 131000, 190, 'accepted'] as const;
  let seed = 7;
  graph.state.verdict = () => faults[(seed = (seed * 48271) % 2147483647) % faults.length]!;
  const bodies = Array.from({ length: 12 }, (_, at) => `Mensaje ${at}`);
  await open(quote, Date.now() + 20 * HOUR);
  for (const body of bodies) await answer(ana, quote, { body });
  for (let minute = 0; minute < 20 * 60; minute += 20) {
    clock.ahead = minute * MINUTE;
    await look();
    // WhatsApp also confirms the message whose response was lost.
    await hear(...graph.messages.map((each) => webhook(status(each, 'delivered'))));
  }
  const arrived = graph.messages.map(({ text }) => /Mensaje \d+/.exec(text?.body ?? '')?.[0]);
  // A message whose request was lost is never confirmed: its outcome stays unknown, and the team gets an alert.
  const ended = await states(quote);
  expect(ended.filter(({ next_at }) => next_at)).toEqual([]);
  const unknown = ended.filter(({ delivery }) => delivery !== 'delivered').length;
  expect(arrived).toEqual(bodies.filter((body) => arrived.includes(body)));
  expect(new Set(arrived).size).toBe(arrived.length);
  expect(arrived.length + unknown).toBe(bodies.length);
  expect(await alertsOf('rebotado')).toBe(unknown);
});

test('a customer is told each milestone once and in order by WhatsApp', async () => {
  const quote = await wanting();
  await open(quote);
  const offer = await answer(ana, quote, OFFER);
  await accept(quote.id, offer);
  await move(ana, quote.id, offer, 'reservada', { word: 'Le llamamos.' });
  // The server sends the messages about a quote one after the other.
  for (const _ of ['the offer', 'its outcome']) await look();
  graph.messages.length = 0;
  const store = async (step: string, more: object = {}) => {
    const row = { id: randomUUID(), quote_id: quote.id, answer_id: offer, step, ...more };
    await put(ana, 'shipment_steps', row);
    return row.id;
  };
  /** Returns the milestones that each message names, in the order of its text. */
  const told = () =>
    graph.messages.splice(0).map(({ text }) =>
      text!.body
        .split('\n')
        .map((line) => STEPS.find((step) => line.startsWith(`${stepNames[step].es} · `)))
        .filter(Boolean),
    );
  await store('recolectada');
  await look();
  expect(told()).toEqual([['recolectada']]);
  for (const step of ['recibida', 'envuelo']) await store(step);
  clock.ahead = 61_000;
  graph.state.verdict = () => 130429;
  await look();
  // The refused message is not sent again, because the next message contains its milestones.
  const landed = await store('llegada');
  graph.state.verdict = () => 'accepted';
  clock.ahead = 6 * MINUTE;
  await look();
  await look();
  expect(told()).toEqual([['llegada', 'envuelo', 'recibida', 'recolectada']]);

  await store('anulada', { corrects: landed });
  clock.ahead = 12 * MINUTE;
  await look();
  expect(graph.messages[0]!.text!.body).toContain('Corrección: «Llegó a Zhengzhou» se anuló');
  expect(told()).toEqual([['envuelo', 'recibida', 'recolectada']]);
  await store('llegada');
  clock.ahead = 18 * MINUTE;
  await look();
  expect(graph.messages[0]!.text!.body).not.toContain('Corrección');
  expect(told()).toEqual([['llegada', 'envuelo', 'recibida', 'recolectada']]);

  // Free text is allowed only for a day after the customer’s message. The template names no milestone.
  await store('aduana');
  clock.ahead = 24 * HOUR;
  await look();
  expect(graph.messages).toMatchObject([{ type: 'template', template: { name: 'novedad_solicitud' } }]);
});
