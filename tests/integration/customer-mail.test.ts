import { randomUUID } from 'node:crypto';
import { simpleParser } from 'mailparser';
import { beforeEach, expect, test } from 'vitest';
import { messengersFor } from '../../server/alerts/messengers.ts';
import { storeIn } from '../../server/alerts/embedded.ts';
import { readAlertSettings } from '../../server/alerts/settings.ts';
import { sendDue } from '../../server/alerts/send-due.ts';
import { folioOf } from '../../src/lead/folio.ts';
import { localTime } from '../../src/lead/shipment.ts';
import { linkCode } from '../../src/lead/quote-link.ts';
import { presenting, quoting, staffMember, visitor } from './callers.ts';
import { actsOn, OFFER } from './lead-acts.ts';
import { engineOfFile } from './engines.ts';
import { mailServer } from './mail-server.ts';
import type { SampleQuote } from './sample-quote.ts';

const SITE = 'https://carga.example';
const MINUTE = 60_000;
const ana = staffMember('Ana');
const engine = await engineOfFile();

const { asOwner, ask, put, take, answer, accept, move, block } = actsOn(engine);
const send = quoting(engine);
let ahead = 0;

/** Starts a mail server, and returns the server with a function that sends all due mails there. */
async function openMail(...parameters: Parameters<typeof mailServer>) {
  const { mails, url } = await mailServer(...parameters);
  const environment = { SMTP_URL: url, MAIL_FROM: 'ventas@carga.example', VITE_COMPANY_NAME: 'Carga' };
  const settings = readAlertSettings(environment);
  const messengers = messengersFor(settings, () => SITE, fetch);
  const look = (minutes?: number) => {
    if (minutes) ahead = minutes * MINUTE;
    return sendDue({ store: storeIn(engine.database), messengers, now: () => Date.now() + 1 + ahead });
  };
  return { look, read: () => Promise.all(mails.map((mail) => simpleParser(mail))) };
}
async function taken(changes?: Partial<SampleQuote>) {
  const quote = await send(changes);
  await take(ana, quote);
  return quote;
}
const mailsOf = (quote: SampleQuote) =>
  ask<{ sent_at: Date | null; next_at: Date | null; result: string | null }>(
    ana,
    'select sent_at, next_at, result from public.desk_mails where quote_id = $1',
    [quote.id],
  );

beforeEach(async () => {
  ahead = 0;
  await asOwner('delete from public.alerts');
});

test('an offer is mailed to the customer once, with price, last day and a link', async () => {
  const { look, read } = await openMail();
  const quote = await taken({ nombre: 'María <José>' });
  expect(await look()).toBe(0);
  await answer(ana, quote, OFFER);
  await look();
  await look();
  const [mail, ...more] = await read();
  expect(more).toEqual([]);
  const folio = folioOf(quote.id);
  expect(mail!.from!.value).toEqual([{ name: 'Carga', address: 'ventas@carga.example' }]);
  expect(mail!.to).toMatchObject({ value: [{ name: 'María <José>', address: quote.email }] });
  expect(mail!.subject).toBe(`Su solicitud ${folio} · Carga`);
  expect(mail!.references).toBe(`<${folio}@carga.example>`);
  const link = `${SITE}/#ver=${await linkCode(quote.id, undefined)}`;
  const parts = ['US $4.10 por kilo', '≈ US $4,920 al mes por 1,200 kg', '28 de noviembre de 2999', 'Sale el jueves.'];
  for (const part of [...parts, link]) expect(mail!.text).toContain(part);
  expect(mail!.html).toContain(`<a href="${link}">`);
  expect(mail!.html).toContain('María &lt;José&gt;');
  expect(await mailsOf(quote)).toEqual([{ sent_at: expect.any(Date), next_at: null, result: 'mailed' }]);
});

test('the mail of an offer lists charges, the total in pesos and the exchange rate', async () => {
  const { look, read } = await openMail();
  const rate = { id: randomUUID(), currency: 'USD', pesos: '17.0638', source: 'FIX', day: '2026-11-27' };
  await put(ana, 'exchange_rates', rate);
  const quote = await taken();
  const lines = [
    { kind: 'flete', per: 'kilo', amount: 3.5 },
    { kind: 'combustible', per: 'kilo', amount: 0.6 },
  ];
  await answer(ana, quote, { ...OFFER, lines: JSON.stringify(lines) });
  await look();
  const [mail] = await read();
  for (const part of [
    'Flete aéreo: US $3.50 por kilo',
    'Combustible: US $0.60 por kilo',
    '≈ MX $83,953.90 de referencia, a MX $17.0638 por dólar (FIX, 27 de noviembre de 2026)',
  ])
    expect(mail!.text).toContain(part);
});

test('answers and outcomes of offers are mailed, even if the phone has already shown them', async () => {
  const { look, read } = await openMail();
  const quote = await taken();
  const message = await answer(ana, quote);
  await put(presenting(quote.id), 'quote_seen', { answer_id: message, quote_id: quote.id });
  await answer(ana, quote, { kind: 'pregunta', body: '¿Con pallet?' });
  const offer = await answer(ana, quote, OFFER);
  await look(3);
  await accept(quote.id, offer);
  await move(ana, quote.id, offer, 'reservada', { word: 'Entregue el lunes.', reference: '976-1234 5675' });
  await look();
  const texts = (await read()).map(({ text }) => text!);
  expect(texts).toHaveLength(4);
  const has = (words: string) => texts.filter((text) => text.includes(words));
  for (const words of ['Le escribimos por', '¿Con pallet?', 'US $4.10', 'Guía o referencia: 976-1234 5675'])
    expect(has(words), words).toHaveLength(1);
  expect(has('Guía')[0]).toContain('Entregue el lunes.');
});

test('milestones and reminders of shipping documents are mailed to the customer', async () => {
  const { look, read } = await openMail();
  const quote = await taken();
  const answer_id = await answer(ana, quote, OFFER);
  await accept(quote.id, answer_id);
  await move(ana, quote.id, answer_id, 'reservada', { word: 'Le llamamos.', reference: '784-12345675' });
  const shipment = { quote_id: quote.id, answer_id };
  const cutoff = Date.now() + 3 * 24 * 60 * MINUTE;
  await put(ana, 'shipment_flights', {
    ...shipment,
    id: randomUUID(),
    flight: 'CZ8412',
    flight_day: localTime(cutoff, 'TIJ').slice(0, 10),
    origin: 'TIJ',
    waybill: '78412345675',
    cutoff_at: new Date(cutoff).toISOString(),
  });
  await put(ana, 'shipment_steps', { ...shipment, id: randomUUID(), step: 'recolectada' });
  await look(5);
  const sent = (await read()).length;
  await put(ana, 'shipment_steps', { ...shipment, id: randomUUID(), step: 'detenida', word: 'Falta un sello' });
  await look(10);
  await look(24 * 60 + 1);
  await look();
  const texts = (await read()).slice(sent).map(({ text }) => text!);
  expect(texts).toEqual([
    expect.stringMatching(/Hay novedades de su embarque[^]*Detenida · .*Tijuana.* · Falta un sello[^]*784-12345675/),
    expect.stringMatching(/Revise los documentos de su embarque[^]*CZ8412[^]*Cierre de recepción: /),
  ]);
});

test('a customer who stopped the mails gets no more mail', async () => {
  const { look, read } = await openMail();
  const quote = await taken();
  await put(presenting(quote.id), 'mail_stops', { id: randomUUID(), quote_id: quote.id });
  await answer(ana, quote, OFFER);
  const blocked = await taken();
  await answer(ana, blocked);
  await block(blocked.id);
  await look();
  expect(await read()).toEqual([]);
  expect(await mailsOf(quote)).toEqual([]);
});

test('an offer that is withdrawn before it is mailed causes only a mail about the withdrawal', async () => {
  const { look, read } = await openMail();
  const quote = await taken();
  const offer = await answer(ana, quote, OFFER);
  await move(ana, quote.id, offer, 'retirada', { word: 'Cambió la ruta.' });
  await look();
  const texts = (await read()).map(({ text }) => text!);
  expect(texts).toEqual([expect.stringContaining('Retiramos nuestra oferta')]);
  expect(texts[0]).toContain('Cambió la ruta.');
});

test('a mail address that the mail server refuses alerts the team once', async () => {
  const refusing = await openMail(550);
  const quote = await taken();
  await answer(ana, quote);
  await refusing.look();
  expect(await mailsOf(quote)).toMatchObject([{ sent_at: null, next_at: null, result: 'the mail server says 550' }]);
  const kinds = 'select kind from public.alerts where quote_id = $1 and kind = $2';
  expect(await ask(ana, kinds, [quote.id, 'rebotado'])).toHaveLength(1);

  const away = await openMail(451);
  const other = await taken();
  await answer(ana, other);
  await away.look();
  expect(await mailsOf(other)).toMatchObject([{ sent_at: null, next_at: expect.any(Date) }]);
  expect(await ask(ana, kinds, [other.id, 'rebotado'])).toEqual([]);
  const open = await openMail();
  await open.look(3);
  expect(await open.read()).toHaveLength(1);
});

test('a customer’s name with line breaks cannot add a header or recipient to a mail', async () => {
  const { look, read } = await openMail();
  const quote = await taken({ nombre: 'Ana\r\nBcc: otro@x.mx\r\n\r\nHola' });
  await answer(ana, quote, { kind: 'mensaje', body: '<script>alert(1)</script>\r\nBcc: otro@x.mx' });
  await look();
  const [mail, ...more] = await read();
  expect(more).toEqual([]);
  expect(mail!.bcc).toBeUndefined();
  expect(mail!.html).not.toContain('<script');
  expect(mail!.to).toMatchObject({ value: [{ address: quote.email }] });
});

test('a phone reads from the server whether an answer was also mailed', async () => {
  const { look } = await openMail();
  const quote = await taken();
  await look();
  await answer(ana, quote);
  const words = 'select by_mail from public.quote_words where quote_id = $1';
  expect(await ask(presenting(quote.id), words, [quote.id])).toEqual([{ by_mail: true }]);
  const stop = { id: randomUUID(), quote_id: quote.id };
  await expect(put(visitor, 'mail_stops', stop)).rejects.toMatchObject({ code: '42501' });
  expect(await ask(visitor, 'select id from public.mail_stops')).toEqual([]);
});
