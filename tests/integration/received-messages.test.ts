import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { storeReceived, type ReceivedMessage } from '../../server/channels/received-messages.ts';
import { MOST_FILES } from '../../src/lead/files.ts';
import { presenting, quoting, service, staffMember, visitor } from './callers.ts';
import { engineOfFile } from './engines.ts';
import { actsOn, fails } from './lead-acts.ts';

const [ana, beto] = [staffMember('Ana'), staffMember('Beto')];
const PDF = Buffer.from('%PDF-1.4 carta de porte');
const engine = await engineOfFile();

const { owner, asOwner, ask, take, answer, reply, block, erase, lead, codes } = actsOn(engine);
const send = quoting(engine);
const receive = (more: Partial<ReceivedMessage> = {}) =>
  storeReceived(engine.database, {
    channel: 'correo',
    externalId: `<${randomUUID()}@cliente.mx>`,
    sender: 'cliente@carga.mx',
    body: '¿Y el viernes?',
    receivedAt: new Date(),
    ...more,
  });
const stored = async (id: string | null) =>
  (await ask(ana, 'select * from public.received_messages where id = $1', [id]))[0];
const repliesTo = (quote_id: string) =>
  ask(ana, 'select id, body from public.quote_replies where quote_id = $1', [quote_id]);
const filesOf = (quote_id: string) =>
  ask(ana, 'select nombre, tipo, whole_at from public.quote_files where quote_id = $1 order by created_at', [quote_id]);
const alertsOf = (kind: string) => owner('select from public.alerts where kind = $1', [kind]);
const assign = (caller: typeof ana, id: string | null, quote: string) =>
  ask(caller, 'update public.received_messages set quote_id = $2 where id = $1 returning id', [id, quote]);
const change = (caller: typeof ana, id: string | null, state: string) =>
  ask(caller, 'update public.received_messages set state = $2 where id = $1 returning id', [id, state]);

test('a customer’s mail about a known quote becomes a question with deadline, alert and files', async () => {
  const quote = await send();
  await take(ana, quote);
  const question = await answer(ana, quote, { kind: 'pregunta', body: '¿Con pallet?' });
  expect(await lead(quote)).toMatchObject({ open: false });
  const files = [{ name: 'carta/../porte\n.pdf', content: PDF }];
  const { message, outcome } = await receive({ quote: quote.id, answer: question, files });
  expect(outcome).toBe('asignado');
  expect(await repliesTo(quote.id)).toEqual([{ id: message, body: '¿Y el viernes?' }]);
  expect(await lead(quote)).toMatchObject({ open: true, reply_waiting: true, reply_to: 'pregunta' });
  expect(await codes(quote)).toContain('contestada');
  expect(await alertsOf('contesta')).toHaveLength(1);
  expect(await filesOf(quote.id)).toEqual([
    { nombre: 'carta_.._porte_.pdf', tipo: 'application/pdf', whole_at: expect.any(Date) },
  ]);
  expect(await ask(presenting(quote.id), 'select id from public.quote_replies')).toEqual([{ id: message }]);
});

test('a mail that arrives twice is stored once, and not again after its quote was erased', async () => {
  const quote = await send();
  const one = { externalId: '<una@cliente.mx>', quote: quote.id };
  const [first, ...again] = [await receive(one), await receive(one), await receive({ ...one, body: 'Otra' })];
  for (const each of again) expect(each).toEqual({ message: first.message, outcome: 'repetido' });
  expect(await repliesTo(quote.id)).toHaveLength(1);
  expect((await receive({ ...one, channel: 'whatsapp', sender: '5215512345678' })).outcome).toBe('asignado');
  await erase(quote);
  expect(await receive(one)).toEqual({ message: null, outcome: 'repetido' });
});

test('a mail whose quote is uncertain waits for a colleague, and alerts the team once', async () => {
  await asOwner("delete from public.alerts where kind = 'sinasignar'");
  const [mine, named, blocked] = [
    await send({ email: 'laura@mar.mx', telefono: '+52 664 123 4567' }),
    await send(),
    await send({ email: 'laura@mar.mx', peso: 9 }),
  ];
  await block(blocked);
  const { message, outcome } = await receive({ sender: ' Laura@MAR.mx ', suggested: named.id });
  expect(outcome).toBe('pendiente');
  await receive({ channel: 'whatsapp', sender: '5216641234567' });
  const sql = `select quote_id, is_named, message_id = $1 as by_mail from public.received_suggestions
    order by by_mail desc, is_named desc`;
  expect(await ask(ana, sql, [message])).toEqual([
    { quote_id: named.id, is_named: true, by_mail: true },
    { quote_id: mine.id, is_named: false, by_mail: true },
    { quote_id: mine.id, is_named: false, by_mail: false },
  ]);
  expect(await repliesTo(mine.id)).toEqual([]);
  expect(await alertsOf('sinasignar')).toHaveLength(1);
});

test('a waiting mail can be assigned to a quote once, with its files', async () => {
  const [quote, other] = [await send(), await send()];
  const { message } = await receive({
    files: [
      { name: 'foto.pdf', content: PDF },
      { name: 'virus.exe', content: Buffer.from('MZ') },
      { name: 'grande.zip', content: null },
    ],
  });
  const waiting = 'select nombre from public.received_files where message_id = $1';
  expect(await ask(ana, waiting, [message])).toEqual([{ nombre: 'foto.pdf' }]);
  expect(await assign(ana, message, quote.id)).toHaveLength(1);
  await fails(assign(beto, message, other.id), 'PT409', 'handled');
  await fails(change(beto, message, 'descartado'), 'PT409', 'handled');
  expect(await repliesTo(quote.id)).toEqual([{ id: message, body: '¿Y el viernes?' }]);
  expect(await filesOf(quote.id)).toMatchObject([{ nombre: 'foto.pdf', whole_at: expect.any(Date) }]);
  expect(await stored(message)).toMatchObject({ unstored_files: 2, handled_by_name: 'Ana' });
  expect(await owner('select from public.received_files')).toEqual([]);
});

test('a discarded mail can be brought back', async () => {
  const quote = await send();
  await block(quote);
  const { message } = await receive();
  await change(ana, message, 'descartado');
  await fails(assign(ana, message, quote.id), 'PT409', 'handled');
  await change(beto, message, 'pendiente');
  for (const id of [quote.id, randomUUID()]) await fails(assign(ana, message, id), '23503');
  expect(await stored(message)).toMatchObject({ state: 'pendiente', quote_id: null });
  expect((await receive({ quote: quote.id })).outcome).toBe('pendiente');
  expect((await receive({ quote: randomUUID() })).outcome).toBe('pendiente');
});

test('a discarded mail is deleted after 30 days, an assigned mail is kept', async () => {
  const quote = await send();
  const [assigned, old, recent] = [await receive(), await receive(), await receive()];
  await assign(ana, assigned.message, quote.id);
  for (const { message } of [old, recent]) await change(ana, message, 'descartado');
  const age = "update public.received_messages set handled_at = now() - interval '31 days' where id = any ($1)";
  await owner(age, [[assigned.message, old.message]]);
  await receive();
  const isStored = async ({ message }: typeof old) => (await stored(message)) !== undefined;
  expect(await Promise.all([assigned, old, recent].map(isStored))).toEqual([true, false, true]);
});

test('a quote stores at most ten mailed files; the desk says how many were left out', async () => {
  const quote = await send();
  const file = (page: number) => ({ name: `${page}.pdf`, content: Buffer.concat([PDF, Buffer.alloc(70_000, page)]) });
  const pages = Array.from({ length: MOST_FILES + 1 }, (_, at) => at);
  const { message } = await receive({ quote: quote.id, files: [0, ...pages].map(file) });
  expect((await filesOf(quote.id)).map(({ nombre }) => nombre)).toEqual(
    pages.slice(0, -1).map((page) => `${page}.pdf`),
  );
  expect(await stored(message)).toMatchObject({ unstored_files: 1 });
});

test('a sender can send at most twenty mails an hour, ten of them about one quote', async () => {
  const quote = await send();
  const sender = 'bomba@carga.mx';
  const flood = async (count: number, more: Partial<ReceivedMessage>) => {
    const outcomes: string[] = [];
    for (let at = 0; at < count; at += 1) outcomes.push((await receive({ sender, ...more })).outcome);
    return outcomes;
  };
  expect((await flood(11, { quote: quote.id })).filter((outcome) => outcome === 'asignado')).toHaveLength(10);
  const later = await flood(25, {});
  expect(later.filter((outcome) => outcome === 'demasiados')).toHaveLength(6);
  const more = 'select sum(more)::integer as more from public.received_messages where sender = $1';
  expect(await ask(ana, more, [sender])).toEqual([{ more: 6 }]);
  expect((await receive({ sender: 'otra@carga.mx' })).outcome).toBe('pendiente');
  // The limit for mails does not stop a question from the customer’s phone.
  expect(await reply(quote)).toHaveLength(1);
});

test('a mail with too long or strange text is shortened and cleaned, not refused', async () => {
  const files = [{ name: 'a\0\ud800.pdf', content: PDF }];
  const { message } = await receive({ body: `  ${'ñ'.repeat(3000)}`, whole: 'x\0y', senderName: ' ​ ', files });
  expect(await stored(message)).toMatchObject({ body: 'ñ'.repeat(2000) });
  expect(await stored((await receive({ body: '​' })).message)).toMatchObject({ body: '…' });
  const long = 'ñ'.repeat(2001);
  expect(await stored((await receive({ body: long })).message)).toMatchObject({ whole: long });
  expect(await stored((await receive({ body: `${'ñ'.repeat(2000)} ` })).message)).toMatchObject({ whole: null });
});

test('visitors see no received mails, and colleagues cannot add or reassign mails', async () => {
  const quote = await send();
  const { message } = await receive({ quote: quote.id });
  for (const table of ['received_messages', 'received_files', 'received_suggestions'])
    for (const caller of [visitor, presenting(quote.id)]) await fails(ask(caller, `select * from public.${table}`));
  for (const forged of ['sender', 'body', 'unproven', 'handled_by', 'suggested'])
    await fails(ask(ana, `update public.received_messages set ${forged} = null where id = $1`, [message]));
  await expect(ask(ana, "update public.received_messages set state = 'descartado'")).rejects.toBeDefined();
  const call =
    "select * from public.receive_message(gen_random_uuid(), 'correo', 'x', 'x@x.mx', null, 'x', null, now())";
  for (const caller of [visitor, ana]) await fails(ask(caller, call));
  await block(quote);
  expect(await stored(message)).toBeUndefined();
});

test('the search for a person’s data finds unassigned messages by e-mail or number', async () => {
  const about = (person: string) => ({ ...service, headers: { 'x-person': person } });
  await receive({ sender: 'persona@carga.mx', files: [{ name: 'a.pdf', content: PDF }] });
  const { message } = await receive({ channel: 'whatsapp', sender: '5216649990001' });
  await asOwner(`insert into public.whatsapp_senders (message_id, wa_id) values ('${message}', '5216649990001');
     insert into public.whatsapp_media (message_id, media_id, name) values ('${message}', '1', 'a.pdf')`);
  const places = async (person: string) => {
    const sql = `select string_agg(replace(place, 'public.', ''), ' ' order by number) as places from public.person_messages`;
    return (await ask<{ places: string | null }>(about(person), sql))[0]!.places?.split(' ') ?? [];
  };
  expect(await places('Persona@carga.mx')).toEqual(['received_messages', 'received_files']);
  expect(await places('664 999 0001')).toEqual(['whatsapp_senders', 'whatsapp_media', 'received_messages']);
  for (const nobody of ['otro@carga.mx', '664', '%@%', '']) expect(await places(nobody)).toEqual([]);
});
