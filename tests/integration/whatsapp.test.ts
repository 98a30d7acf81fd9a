import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { settingChannels } from '../../server/alerts/channels.ts';
import { hooksIn, storeIn } from '../../server/alerts/embedded.ts';
import { readAlertSettings } from '../../server/alerts/settings.ts';
import { sendDue } from '../../server/alerts/send-due.ts';
import { workHooks } from '../../server/alerts/whatsapp-hooks.ts';
import { plainFetch } from '../../server/plain-fetch.ts';
import { folioOf } from '../../src/lead/folio.ts';
import { linkCode } from '../../src/lead/quote-link.ts';
import { askAsOwner, asOwner, presenting, quoting, staffMember, visitor } from './callers.ts';
import { actsOn, OFFER } from './lead-acts.ts';
import { eachEngine } from './engines.ts';
import {
  APP_SECRET,
  failure,
  openGraphServer,
  postHook,
  secondsOf,
  signatureOf,
  status,
  TOKEN,
  VERIFY_TOKEN,
  webhook,
} from './graph-server.ts';
import { dataDirectory, Script, startServer } from './processes.ts';
import type { SampleQuote } from './sample-quote.ts';

const SITE = 'https://carga.example';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ana = staffMember('Ana');
const engines = await eachEngine();
const graph = await openGraphServer();
const settings = readAlertSettings(graph.environment);
afterAll(() => graph.close());

test('a start with some of the four settings ends with exit code 78', async () => {
  const start = new Script('main', { DATA_DIR: await dataDirectory(), WHATSAPP_TOKEN: TOKEN });
  expect(await start.ended()).toBe(78);
  expect(start.errors).toMatch(/^WHATSAPP_PHONE_ID is not set: WhatsApp needs .*\.\n$/);
});

test('the server takes signed webhooks up to 3 MB, and logs no secret', async () => {
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

test('without the settings of WhatsApp its address does not exist', async () => {
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
  /** Receives webhooks and works on them. */
  async function hear(...bodies: readonly string[]) {
    for (const body of bodies) await hooks.store(body);
    await workHooks(hooks, settings.whatsapp!, now);
  }
  const choose = (quote: SampleQuote, wanted = true) =>
    put(presenting(quote.id), 'whatsapp_choices', { id: randomUUID(), quote_id: quote.id, wanted });
  /** Quote whose sender wants WhatsApp, with its lead taken. */
  async function wanting(changes?: Partial<SampleQuote>) {
    const quote = await send(changes);
    await choose(quote);
    await take(ana, quote);
    return quote;
  }
  const states = (quote: SampleQuote) =>
    ask<{ delivery: string | null; code: number | null; next_at: Date | null; said: string }>(
      ana,
      "select delivery, code, next_at, said from public.desk_mails where quote_id = $1 and way = 'whatsapp'",
      [quote.id],
    );
  const alertsOf = async (kind: string) =>
    (await askAsOwner(engine, 'select from public.alerts where kind = $1', [kind])).length;
  /** Lets the customer of a sent message write, which opens the window of free text. */
  const open = (quote: SampleQuote, at = Date.now()) =>
    askAsOwner(engine, 'select private.meet_on_whatsapp($1, null, null, $2)', [quote.id, new Date(at)]);

  beforeEach(async () => {
    ahead = 0;
    graph.messages.length = 0;
    graph.state.verdict = () => 'accepted';
    await asOwner(
      engine,
      'delete from public.alerts; delete from public.whatsapp_hooks; update public.alert_sender set whatsapp_rests_until = null, whatsapp_code = null',
    );
  });

  test('an offer goes as the approved template, once, only to customers who chose WhatsApp', async () => {
    const quote = await wanting({ nombre: 'María\n\tJosé', telefono: '664 123 4567' });
    const silent = await send({ telefono: '664 123 4567' });
    await take(ana, silent);
    for (const each of [quote, silent]) await answer(ana, each, OFFER);
    await look();
    await look();
    const link = `${SITE}/#ver=${await linkCode(quote.id, undefined)}`;
    const parameters = ['María José', folioOf(quote.id), link].map((text) => ({ type: 'text', text }));
    expect(graph.messages).toEqual([
      expect.objectContaining({
        messaging_product: 'whatsapp',
        to: '+526641234567',
        type: 'template',
        template: {
          name: 'respuesta_lista',
          language: { code: 'es_MX' },
          components: [{ type: 'body', parameters }],
        },
      }),
    ]);
    expect(await states(quote)).toMatchObject([{ delivery: 'sent', next_at: null, said: 'accepted' }]);
    expect(await states(silent)).toEqual([]);
  });

  test('an answer within a day of the customer’s message is one free text', async () => {
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

    // The window ends by the customer's own clock, and the outcome of the offer has another template.
    ahead = 5 * MINUTE;
    await accept(quote.id, offer);
    await move(ana, quote.id, offer, 'reservada', { word: 'Entregue el lunes.' });
    await look();
    expect(graph.messages[1]).toMatchObject({ type: 'template', template: { name: 'novedad_solicitud' } });
  });

  test('a customer who stops WhatsApp gets none, and strangers can neither choose nor read choices', async () => {
    const quote = await wanting();
    await answer(ana, quote);
    await choose(quote, false);
    await look();
    expect(graph.messages).toEqual([]);
    const row = { id: randomUUID(), quote_id: quote.id, wanted: true };
    await expect(put(visitor, 'whatsapp_choices', row)).rejects.toMatchObject({ code: '42501' });
    expect(await ask(visitor, 'select id from public.whatsapp_choices')).toEqual([]);
    const ways = 'select * from public.customer_ways';
    expect(await ask(presenting(quote.id), ways)).toEqual([{ whatsapp: true, wanted: false }]);
    expect(await ask(visitor, ways)).toEqual([{ whatsapp: true, wanted: null }]);
    for (let more = 0; more < 8; more += 1) await choose(quote);
    await expect(choose(quote)).rejects.toMatchObject({ code: 'PGRST' });
  });

  test('free text refused for its age is sent again at once as a template', async () => {
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

  test('free text refused in repeated webhooks is sent again once as a template', async () => {
    const quote = await wanting();
    await open(quote);
    await answer(ana, quote);
    await look();
    const refused = webhook(status(graph.messages[0]!, 'failed', failure(131047)));
    await hear(refused, refused);
    await look();
    await hear(refused);
    await look();
    expect(graph.messages.map(({ type }) => type)).toEqual(['text', 'template']);
    expect(await states(quote)).toMatchObject([{ delivery: 'sent', code: null }]);
  });

  test('a message whose answer was lost is never sent twice; the team hears of it', async () => {
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
    expect(await states(unknown)).toMatchObject([{ delivery: 'sending', next_at: null, said: 'unknown' }]);
    expect(await alertsOf('rebotado')).toBe(1);
  });

  test('a server that dies while sending does not send again after its start', async () => {
    const quote = await wanting();
    await answer(ana, quote);
    // Claims as a sender that ends before it settles.
    await storeIn(engine.database).claim(new Date(now()), ['whatsapp']);
    ahead = 5 * MINUTE;
    await look();
    ahead = HOUR;
    await look();
    expect(graph.messages).toEqual([]);
    expect(await states(quote)).toMatchObject([{ said: 'unknown' }]);
  });

  test('confirmations in any order, repeated and mixed only move forward', async () => {
    const quote = await wanting();
    await answer(ana, quote);
    graph.state.verdict = () => 'cut off';
    await look();
    const [message] = graph.messages;
    const say = (state: string, more = {}) => webhook(status(message!, state, more));
    await hear(say('read'), say('sent'), say('failed', failure(131026)), say('delivered'), say('sent'), say('read'));
    expect(await states(quote)).toMatchObject([{ delivery: 'read', code: null }]);
    expect(await alertsOf('rebotado')).toBe(0);

    const other = await wanting();
    await answer(ana, other);
    graph.state.verdict = () => 'accepted';
    await look();
    const failed = graph.messages[1]!;
    await hear(webhook(status(failed, 'failed', failure(131026)), status(failed, 'sent')));
    expect(await states(other)).toMatchObject([{ delivery: 'failed', code: 131026 }]);
    expect(await alertsOf('rebotado')).toBe(1);
  });

  test('an expired token stops all messages and alerts the team once; a new one sends them', async () => {
    const quotes = [await wanting(), await wanting()];
    for (const quote of quotes) await answer(ana, quote);
    graph.state.verdict = () => 190;
    await look();
    await look();
    expect(await alertsOf('sinwhatsapp')).toBe(1);
    const later = await wanting();
    await answer(ana, later);
    let asked = 0;
    graph.state.verdict = () => ((asked += 1), 'accepted');
    ahead = 14 * MINUTE;
    await look();
    expect(asked).toBe(0);
    ahead = 16 * MINUTE;
    await look();
    expect(graph.messages).toHaveLength(3);
    for (const quote of [...quotes, later])
      expect(await states(quote)).toMatchObject([{ delivery: 'sent', code: null }]);
    expect(await alertsOf('rebotado')).toBe(0);
  });

  test('a channel that fails at random loses nothing, and each saying arrives once and in order', async () => {
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
      // The confirmation of a message whose answer was lost.
      await hear(...graph.messages.map((message) => webhook(status(message, 'delivered'))));
    }
    const arrived = graph.messages.map(({ text }) => /Mensaje \d+/.exec(text?.body ?? '')?.[0]);
    // An attempt whose request was lost has no confirmation: it counts as unknown, and alerts the team.
    const ended = await states(quote);
    expect(ended.filter(({ next_at }) => next_at)).toEqual([]);
    const unknown = ended.filter(({ delivery }) => delivery !== 'delivered').length;
    expect(arrived).toEqual(bodies.filter((body) => arrived.includes(body)));
    expect(new Set(arrived).size).toBe(arrived.length);
    expect(arrived.length + unknown).toBe(bodies.length);
    expect(await alertsOf('rebotado')).toBe(unknown);
  });

  test('a webhook about another number or of unknown form changes nothing and is not kept', async () => {
    const quote = await wanting();
    await answer(ana, quote);
    await look();
    const good = JSON.parse(webhook(status(graph.messages[0]!, 'read'))) as {
      entry: { changes: { value: { metadata: object } }[] }[];
    };
    good.entry[0]!.changes[0]!.value.metadata = { phone_number_id: '1' };
    await hear(JSON.stringify(good), 'no JSON', '[]', '{"entry":[{"changes":[null,{"field":"messages","value":7}]}]}');
    await hear(webhook({ statuses: [{ id: 'x', status: 'failed', timestamp: secondsOf(0), errors: 'none' }, null] }));
    expect(await states(quote)).toMatchObject([{ delivery: 'sent' }]);
    expect(await askAsOwner(engine, 'select from public.whatsapp_hooks')).toEqual([]);
  });
});
