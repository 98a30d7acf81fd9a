import { randomBytes } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { workHooks } from '../../server/channels/whatsapp/hooks.ts';
import { plainFetch } from '../../server/plain-fetch.ts';
import { createWhatsApp } from '../../server/channels/whatsapp/intake.ts';
import { presenting, service } from './callers.ts';
import { OFFER } from './lead-acts.ts';
import { engineOfFile } from './engines.ts';
import { message, secondsOf, status, webhook } from './graph-server.ts';
import { overWhatsApp, alertSettings, ana, graph } from './over-whatsapp.ts';
import type { SampleQuote } from './sample-quote.ts';

const MINUTE = 60_000;
const engine = await engineOfFile();

const { owner, asOwner, ask, take, answer, send, hooks, clock, now, look, hear, choose, wanting, states, alertsOf } =
  overWhatsApp(engine);

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

test('a WhatsApp webhook about another number, or in an unknown form, is ignored', async () => {
  const quote = await wanting();
  await answer(ana, quote);
  await look();
  const other = webhook({ ...status(graph.messages[0]!, 'read'), metadata: { phone_number_id: '1' } });
  await hear(other, 'no JSON', '[]', '{"entry":[{"changes":[null,{"field":"messages","value":7}]}]}');
  await hear(webhook({ statuses: [{ id: 'x', status: 'failed', timestamp: secondsOf(0), errors: 'none' }, null] }));
  expect(await states(quote)).toMatchObject([{ delivery: 'sent' }]);
  expect(await owner('select from public.whatsapp_hooks')).toEqual([]);
});

test('a customer’s WhatsApp message becomes a question about the customer’s only open quote', async () => {
  const quote = await wanting({ telefono: newNumber() });
  // Older Mexican accounts have a 1 after the country code 52.
  const number = numberOf(quote).replace(/^52/, '521');
  await hear(webhook(message({ from: number, user: 'MX.Ana1', body: '¿Y el viernes?' })));
  // The customer’s next message has no number, only the user id. The number then belongs to another user.
  await hear(webhook(message({ user: 'MX.Ana1', body: 'Con pallet.' })));
  await hear(webhook(message({ from: number, user: 'MX.Otra', body: '¿Quién es?' })));
  expect(await bodiesIn(quote)).toEqual(['¿Y el viernes?', 'Con pallet.']);
  expect(await waiting()).toMatchObject([{ body: '¿Quién es?', suggested: null }]);
  await answer(ana, quote);
  await look();
  expect(graph.messages).toMatchObject([{ type: 'text', to: `+${number}` }]);

  const hidden = await wanting({ telefono: newNumber() });
  await owner("select private.meet_on_whatsapp($1, null, 'MX.Beto', null)", [hidden.id]);
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

  // This customer wrote without consent to WhatsApp messages. Once a colleague has assigned the message to the quote,
  // the team may still answer by WhatsApp for 24 hours.
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

  // The server tries again later if the file’s host is not one of `mediaHosts`, answers with an error, or redirects.
  graph.files.set('1005', { type: 'application/pdf', content: pdf });
  let asked = 0;
  graph.state.media = (outgoing) => {
    asked += 1;
    if (asked === 1) outgoing.writeHead(404).end();
    else if (asked === 2) outgoing.writeHead(302, { location: 'http://127.0.0.1:9/' }).end();
    else return false;
    return true;
  };
  const strict = { ...alertSettings.whatsapp!, mediaHosts: ['media.example'] };
  const other = await wanting({ telefono: newNumber() });
  const document = { id: '1005', mime_type: 'application/pdf' };
  await hooks.store(webhook(message({ from: numberOf(other), type: 'document', document })));
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  await workHooks({ store: hooks, settings: strict, fetch: plainFetch, now });
  expect(asked).toBe(0);
  expect(log.mock.calls.join()).toContain(`WhatsApp offers a file at ${new URL(graph.origin).host}`);
  for (const minutes of [5, 10, 15]) {
    clock.ahead = minutes * MINUTE;
    await hear();
  }
  expect(asked).toBe(3);
  expect(await ask(ana, files, [other.id])).toMatchObject([{ bytes: pdf.byteLength, whole: true }]);
  graph.state.media = () => false;
});

test('a WhatsApp file is downloaded after the next start if the server stopped during the download', async () => {
  const quote = await wanting({ telefono: newNumber() });
  const asked = Promise.withResolvers<void>();
  graph.state.media = () => (asked.resolve(), true);
  const bodies = ['2001', '2002'].map((id) => {
    graph.files.set(id, { type: 'application/pdf', content: Buffer.from(`%PDF-1.7 ${id}`) });
    return message({ from: numberOf(quote), type: 'document', document: { id, mime_type: 'application/pdf' } });
  });
  await hooks.store(webhook(...bodies));
  const receiver = createWhatsApp(engine.database, alertSettings)!;
  receiver.start();
  await asked.promise;
  await receiver.stop();
  const attempts = await owner('select attempts from public.whatsapp_media order by id');
  expect(attempts).toEqual([{ attempts: 1 }, { attempts: 0 }]);
  graph.state.media = () => false;
  clock.ahead = MINUTE;
  await hear();
  expect(await ask(ana, 'select from public.quote_files where quote_id = $1', [quote.id])).toHaveLength(2);
});

test('WhatsApp webhooks are claimed in order of arrival; those that failed ten times cause one alert', async () => {
  for (let at = 0; at < 5; at += 1) await hooks.store(String(at));
  // The update moves the rows '0' and '1' to the end of the table on the disk. The claim must still return them first.
  await asOwner("update public.whatsapp_hooks set attempts = 9 where raw < '2'");
  const claimed = async () => (await hooks.claim(new Date(now()))).map(({ raw }) => raw);
  expect(await claimed()).toEqual(['0', '1', '2', '3', '4']);
  expect(await alertsOf('singuardar')).toBe(0);
  clock.ahead = MINUTE;
  expect(await claimed()).toEqual(['2', '3', '4']);
  clock.ahead = 10 * MINUTE;
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
  await asOwner('update private.quote_limits set overall = 0, per_address = 0');
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
  expect(await owner(sql, [quotes.map(({ id }) => id)])).toEqual([{ right: 250, every: 250 }]);
  expect(await owner('select from public.whatsapp_hooks')).toEqual([]);
  await asOwner('update private.quote_limits set overall = 2000, per_address = 60');
});
