import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { settingChannels } from '../../server/alerts/channels.ts';
import { hooksIn, storeIn } from '../../server/alerts/embedded.ts';
import { readAlertSettings } from '../../server/alerts/settings.ts';
import { sendDue } from '../../server/alerts/send-due.ts';
import { workHooks } from '../../server/alerts/whatsapp-hooks.ts';
import { plainFetch } from '../../server/plain-fetch.ts';
import { createWhatsApp } from '../../server/whatsapp.ts';
import { folioOf } from '../../src/lead/folio.ts';
import { stepNames } from '../../src/content/step-names.ts';
import { linkCode } from '../../src/lead/quote-link.ts';
import { STEPS } from '../../src/lead/shipment.ts';
import { askAsOwner, asOwner, presenting, quoting, service, staffMember, visitor } from './callers.ts';
import { actsOn, fails, OFFER } from './lead-acts.ts';
import { eachEngine } from './engines.ts';
import {
  APP_SECRET,
  failure,
  message,
  openGraphServer,
  postHook,
  secondsOf,
  signatureOf,
  status,
  TOKEN,
  VERIFY_TOKEN,
  webhook,
} from './graph-server.ts';
import { dataDirectory, startServer } from './processes.ts';
import type { SampleQuote } from './sample-quote.ts';

const SITE = 'https://carga.example';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ana = staffMember('Ana');
const engines = await eachEngine();
const graph = await openGraphServer();
const settings = readAlertSettings(graph.environment);
afterAll(() => graph.close());

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
  expect((await postHook(address, `${body} `, signatureOf(body))).status).toBe(401);
  expect((await fetch(`${address}/whatsapp`, { method: 'POST', body })).status).toBe(401);
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

describe.each(engines)('on $name', (engine) => {
  const { ask, put, take, answer, accept, move } = actsOn(engine);
  const send = quoting(engine);
  const channels = settingChannels(settings, () => SITE, plainFetch);
  const hooks = hooksIn(engine.database);
  let ahead = 0;
  const now = () => Date.now() + 1 + ahead;
  const look = () => sendDue({ store: storeIn(engine.database), channels, now });
  /** Receives webhooks and processes them. */
  async function hear(...bodies: readonly string[]) {
    for (const body of bodies) await hooks.store(body);
    await workHooks({ store: hooks, settings: settings.whatsapp!, fetch: plainFetch, now });
  }
  const choose = (quote: SampleQuote, wanted = true) =>
    put(presenting(quote.id), 'whatsapp_choices', { id: randomUUID(), quote_id: quote.id, wanted });
  /** Stores a quote whose sender allowed WhatsApp messages, and whose lead has an owner. */
  async function wanting(changes?: Partial<SampleQuote>) {
    const quote = await send(changes);
    await choose(quote);
    await take(ana, quote);
    return quote;
  }
  const states = (quote: SampleQuote) =>
    ask(
      ana,
      "select delivery, code, next_at, result, sent_at from public.desk_mails where quote_id = $1 and way = 'whatsapp'",
      [quote.id],
    );
  const alertsOf = async (kind: string) =>
    (await askAsOwner(engine, 'select from public.alerts where kind = $1', [kind])).length;
  /** Records a message of the customer, after which free text is allowed for 24 hours. */
  const open = (quote: SampleQuote, at = Date.now()) =>
    askAsOwner(engine, 'select private.meet_on_whatsapp($1, null, null, $2)', [quote.id, new Date(at)]);

  beforeEach(async () => {
    ahead = 0;
    graph.messages.length = 0;
    graph.state.verdict = () => 'accepted';
    await asOwner(
      engine,
      'delete from public.alerts; delete from public.whatsapp_hooks; delete from public.received_messages where quote_id is null; update public.alert_sender set whatsapp_rests_until = null, whatsapp_code = null',
    );
  });

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

    // More than 24 hours after the customer’s message, a template is sent. The outcome of an offer has its own
    // template.
    ahead = 5 * MINUTE;
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
    ahead = 14 * MINUTE;
    await look();
    expect(await alertsOf('rebotado')).toBe(0);
    ahead = 16 * MINUTE;
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
    ahead = 5 * MINUTE;
    await look();
    ahead = HOUR;
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
    ahead = 14 * MINUTE;
    await look();
    expect(asked).toBe(0);
    ahead = 16 * MINUTE;
    await look();
    expect(graph.messages).toHaveLength(4);
    for (const quote of [...quotes, later])
      expect(await states(quote)).toMatchObject([{ delivery: 'sent', code: null }]);
    expect(await alertsOf('rebotado')).toBe(0);
  });

  test('a WhatsApp message over a connection that fails at random arrives once, or alerts the team', async () => {
    const quote = await wanting();
    const faults = ['lost', 'cut off', 130429, 131056, 131000, 190, 'accepted'] as const;
    let seed = 7;
    graph.state.verdict = () => faults[(seed = (seed * 48271) % 2147483647) % faults.length]!;
    const bodies = Array.from({ length: 12 }, (_, at) => `Mensaje ${at}`);
    await open(quote, Date.now() + 20 * HOUR);
    for (const body of bodies) await answer(ana, quote, { body });
    for (let minute = 0; minute < 20 * 60; minute += 20) {
      ahead = minute * MINUTE;
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
    await Promise.all([store('recibida'), store('envuelo')]);
    ahead = 61_000;
    graph.state.verdict = () => 130429;
    await look();
    // The refused message is not sent again, because the next message contains its milestones.
    const landed = await store('llegada');
    graph.state.verdict = () => 'accepted';
    ahead = 6 * MINUTE;
    await look();
    await look();
    expect(told()).toEqual([['llegada', 'envuelo', 'recibida', 'recolectada']]);

    await store('anulada', { corrects: landed });
    ahead = 12 * MINUTE;
    await look();
    expect(graph.messages[0]!.text!.body).toContain('Corrección: «Llegó a Zhengzhou» se anuló');
    expect(told()).toEqual([['envuelo', 'recibida', 'recolectada']]);
    await store('llegada');
    ahead = 18 * MINUTE;
    await look();
    expect(graph.messages[0]!.text!.body).not.toContain('Corrección');
    expect(told()).toEqual([['llegada', 'envuelo', 'recibida', 'recolectada']]);

    // Free text is allowed only for a day after the customer’s message. The template names no milestone.
    await store('aduana');
    ahead = 24 * HOUR;
    await look();
    expect(graph.messages).toMatchObject([{ type: 'template', template: { name: 'novedad_solicitud' } }]);
  });

  test('a WhatsApp webhook about another number, or in an unknown form, is ignored', async () => {
    const quote = await wanting();
    await answer(ana, quote);
    await look();
    const other = webhook({ ...status(graph.messages[0]!, 'read'), metadata: { phone_number_id: '1' } });
    await hear(other, 'no JSON', '[]', '{"entry":[{"changes":[null,{"field":"messages","value":7}]}]}');
    await hear(webhook({ statuses: [{ id: 'x', status: 'failed', timestamp: secondsOf(0), errors: 'none' }, null] }));
    expect(await states(quote)).toMatchObject([{ delivery: 'sent' }]);
    expect(await askAsOwner(engine, 'select from public.whatsapp_hooks')).toEqual([]);
  });

  const messagesIn = (quote: SampleQuote) =>
    ask<{ body: string }>(
      ana,
      `select r.body, m.sender, r.answer_id from public.quote_replies as r
       join public.received_messages as m on m.id = r.id where r.quote_id = $1 order by m.received_at`,
      [quote.id],
    );
  const bodiesIn = async (quote: SampleQuote) => (await messagesIn(quote)).map(({ body }) => body);
  const waiting = () =>
    ask(ana, "select body, suggested from public.received_messages where state = 'pendiente' order by received_at");
  const numberOf = (quote: SampleQuote) => quote.telefono.replaceAll(/\D/g, '');
  let numbers = 0;
  const newNumber = () => `+52 664 ${String((numbers += 1)).padStart(7, '0')}`;

  test('a customer’s WhatsApp message becomes a question about the customer’s only open quote', async () => {
    const quote = await wanting({ telefono: newNumber() });
    // Older Mexican accounts have a 1 after the country code 52.
    const number = numberOf(quote).replace(/^52/, '521');
    await hear(webhook(message({ from: number, user: 'MX.Ana1', body: '¿Y el viernes?' })));
    // The first customer now hides the number, which belongs to another user.
    await hear(webhook(message({ user: 'MX.Ana1', body: 'Con pallet.' })));
    await hear(webhook(message({ from: number, user: 'MX.Otra', body: '¿Quién es?' })));
    expect(await bodiesIn(quote)).toEqual(['¿Y el viernes?', 'Con pallet.']);
    expect(await waiting()).toMatchObject([{ body: '¿Quién es?', suggested: null }]);
    await answer(ana, quote);
    await look();
    expect(graph.messages).toMatchObject([{ type: 'text', to: `+${number}` }]);

    const hidden = await wanting({ telefono: newNumber() });
    await askAsOwner(engine, "select private.meet_on_whatsapp($1, null, 'MX.Beto', null)", [hidden.id]);
    await hear(webhook(message({ user: 'MX.Beto', body: 'Sí.' })));
    expect(await messagesIn(hidden)).toMatchObject([{ body: 'Sí.', sender: 'mx.beto' }]);
  });

  test('a WhatsApp message waits for a colleague unless exactly one quote fits', async () => {
    const telefono = newNumber();
    const [one, other] = [await wanting({ telefono }), await wanting({ telefono, peso: 77 })];
    const stranger = await send({ telefono: newNumber() });
    await hear(
      webhook(message({ from: numberOf(one), body: '¿Cuál?' })),
      webhook(message({ from: numberOf(stranger), body: 'Sin permiso.' })),
    );
    const suggested = expect.toSatisfy((id: string) => [one.id, other.id].includes(id));
    expect(await waiting()).toMatchObject([{ body: '¿Cuál?', suggested }, { body: 'Sin permiso.' }]);
    const offer = await answer(ana, one, OFFER);
    await look();
    await hear(webhook(message({ from: numberOf(one), body: 'Ésa.', context: { id: graph.messages[0]!.wamid } })));
    expect(await messagesIn(one)).toMatchObject([{ body: 'Ésa.', answer_id: offer }]);

    // A colleague assigns a message of a customer without consent, who may then be answered for a day.
    const assignment = 'update public.received_messages set quote_id = $1 where sender = $2 returning id';
    await ask(ana, assignment, [stranger.id, `+${numberOf(stranger)}`]);
    await take(ana, stranger);
    await answer(ana, stranger);
    await look();
    expect(graph.messages.at(-1)).toMatchObject({ type: 'text', to: `+${numberOf(stranger)}` });
  });

  test('the WhatsApp message BAJA ends the customer’s consent, and is not a question', async () => {
    const quote = await wanting({ telefono: newNumber() });
    await hear(webhook(message({ from: numberOf(quote), body: 'Hola' })));
    const stop = webhook(message({ from: numberOf(quote), body: ' Baja. ' }));
    await hear(stop, stop);
    expect(await ask(presenting(quote.id), 'select wanted from public.customer_ways')).toEqual([{ wanted: false }]);
    expect(await bodiesIn(quote)).toEqual(['Hola']);
    expect(await waiting()).toEqual([]);
    await answer(ana, quote);
    await look();
    expect(graph.messages).toEqual([]);
  });

  test('pictures and PDFs of a WhatsApp message become files of the quote', async () => {
    const quote = await wanting({ telefono: newNumber() });
    const from = numberOf(quote);
    const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(200_000)]);
    graph.files.set('1001', { type: 'application/pdf', content: pdf });
    graph.files.set('1002', { type: 'image/jpeg', content: Buffer.from('<script>') });
    graph.files.set('1003', { type: 'application/pdf', content: Buffer.alloc(10 * 1024 * 1024 + 1) });
    const file = (type: string, id: string, mime_type: string, more = {}) =>
      message({ from, type, [type]: { id, mime_type, ...more } });
    await hear(
      webhook(file('document', '1001', 'application/pdf', { filename: '../Guía.pdf', caption: 'La guía' })),
      webhook(file('image', '1002', 'image/jpeg')),
      webhook(file('document', '1003', 'application/pdf', { filename: 'grande.pdf' })),
      webhook(file('audio', '1004', 'audio/ogg; codecs=opus')),
    );
    const files = 'select nombre, bytes, whole_at is not null as whole from public.quote_files where quote_id = $1';
    expect(await ask(ana, files, [quote.id])).toEqual([
      { nombre: expect.stringMatching(/Guía\.pdf$/), bytes: pdf.byteLength, whole: true },
    ]);
    const unstored =
      'select jsonb_object_agg(body, unstored_files) as files from public.received_messages where quote_id = $1';
    const voice = '[Mensaje de voz: escúchelo en WhatsApp]';
    expect(await ask(ana, unstored, [quote.id])).toEqual([
      { files: { 'La guía': 0, '[Foto]': 1, '[Documento]': 1, [voice]: 1 } },
    ]);

    // The server tries again later if the host fails, redirects or is unknown.
    graph.files.set('1005', { type: 'application/pdf', content: pdf });
    let asked = 0;
    graph.state.media = (outgoing) => {
      asked += 1;
      if (asked === 1) outgoing.writeHead(404).end();
      else if (asked === 2) outgoing.writeHead(302, { location: 'http://127.0.0.1:9/' }).end();
      else return false;
      return true;
    };
    const strict = { ...settings.whatsapp!, mediaHosts: ['media.example'] };
    const other = await wanting({ telefono: newNumber() });
    const document = { id: '1005', mime_type: 'application/pdf' };
    await hooks.store(webhook(message({ from: numberOf(other), type: 'document', document })));
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    await workHooks({ store: hooks, settings: strict, fetch: plainFetch, now });
    expect(asked).toBe(0);
    expect(log.mock.calls.join()).toContain(`WhatsApp offers a file at ${new URL(graph.origin).host}`);
    log.mockRestore();
    for (const minutes of [5, 10, 15]) {
      ahead = minutes * MINUTE;
      await hear();
    }
    expect(asked).toBe(3);
    expect(await ask(ana, files, [other.id])).toMatchObject([{ bytes: pdf.byteLength, whole: true }]);
    graph.state.media = () => false;
  });

  test('a file whose download the server’s stop interrupted is fetched after the next start', async () => {
    const quote = await wanting({ telefono: newNumber() });
    const asked = Promise.withResolvers<void>();
    graph.state.media = () => (asked.resolve(), true);
    const bodies = ['2001', '2002'].map((id) => {
      graph.files.set(id, { type: 'application/pdf', content: Buffer.from(`%PDF-1.7 ${id}`) });
      return message({ from: numberOf(quote), type: 'document', document: { id, mime_type: 'application/pdf' } });
    });
    await hooks.store(webhook(...bodies));
    const receiver = createWhatsApp(engine.database, settings)!;
    receiver.start();
    await asked.promise;
    await receiver.stop();
    const attempts = await askAsOwner(engine, 'select attempts from public.whatsapp_media order by id');
    expect(attempts).toEqual([{ attempts: 1 }, { attempts: 0 }]);
    graph.state.media = () => false;
    ahead = MINUTE;
    await hear();
    expect(await ask(ana, 'select from public.quote_files where quote_id = $1', [quote.id])).toHaveLength(2);
  });

  test('webhooks are claimed in the order of their arrival; ten failures alert the team once', async () => {
    for (let at = 0; at < 5; at += 1) await hooks.store(String(at));
    // The update moves these rows to the end of the table on the disk, although they arrived first.
    await asOwner(engine, "update public.whatsapp_hooks set attempts = 9 where raw < '2'");
    const claimed = async () => (await hooks.claim(new Date(now()))).map(({ raw }) => raw);
    expect(await claimed()).toEqual(['0', '1', '2', '3', '4']);
    expect(await alertsOf('singuardar')).toBe(0);
    ahead = MINUTE;
    expect(await claimed()).toEqual(['2', '3', '4']);
    ahead = 10 * MINUTE;
    expect(await claimed()).toEqual(['0', '1', '2', '3', '4']);
    expect(await alertsOf('singuardar')).toBe(1);
    expect(await ask(service, 'select id from public.whatsapp_hooks where attempts >= 10')).toHaveLength(2);
  });

  test('WhatsApp messages of other types are shown to the team as notices', async () => {
    const quote = await wanting({ telefono: newNumber() });
    const of = (type: string, more: object) => message({ from: numberOf(quote), user: 'MX.1', type, ...more });
    const system = { type: 'user_changed_user_id', user_id: 'MX.2', previous_user_id: 'MX.1' };
    await hear(
      webhook(
        of('location', { location: { latitude: 32.5, longitude: -117, name: 'Bodega' } }),
        of('reaction', { reaction: { message_id: 'wamid.x', emoji: '👍' } }),
        of('reaction', { reaction: { message_id: 'wamid.x' } }),
        of('unsupported', { errors: [{ code: 131051 }] }),
        of('button', { button: { text: 'Sí', payload: 'x' } }),
        { messages: [{ id: 'wamid.s', type: 'system', system }] },
      ),
      webhook(message({ user: 'MX.2', body: 'Soy yo' })),
    );
    expect((await bodiesIn(quote)).toSorted()).toEqual([
      'Soy yo',
      'Sí',
      '[Mensaje de un tipo que aquí no se puede mostrar]',
      '[Reaccionó con 👍]',
      '[Ubicación] Bodega · 32.5, -117',
    ]);
  });

  test('five hundred repeated WhatsApp webhooks in any order store each message once', async () => {
    await asOwner(engine, 'update private.quote_limits set overall = 0, per_address = 0');
    const quotes = await Promise.all(Array.from({ length: 50 }, () => send({ telefono: newNumber() })));
    for (const quote of quotes) await choose(quote);
    const bodies = quotes.flatMap((quote) =>
      Array.from({ length: 5 }, (_, at) => webhook(message({ from: numberOf(quote), body: `${quote.id} ${at}` }))),
    );
    const all = [...bodies, ...bodies].map((body, at) => ({ body, place: (at * 7919) % 2003 }));
    for (const { body } of all.toSorted((one, other) => one.place - other.place)) await hooks.store(body);
    // Two workers process the webhooks at once, like two servers on one PostgreSQL.
    await Promise.all([hear(), hear()]);
    const sql = `select count(*)::integer as every, (count(*) filter (where body like quote_id || ' _'))::integer as right
      from public.quote_replies where quote_id = any ($1)`;
    expect(await askAsOwner(engine, sql, [quotes.map(({ id }) => id)])).toEqual([{ right: 250, every: 250 }]);
    expect(await askAsOwner(engine, 'select from public.whatsapp_hooks')).toEqual([]);
    await asOwner(engine, 'update private.quote_limits set overall = 2000, per_address = 60');
  });
});
