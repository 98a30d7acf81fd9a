import { createHash, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { folioOf } from '../../src/lead/folio.ts';
import {
  asOwner,
  DEVICE_KEYS,
  insertion,
  introduce,
  presenting,
  service,
  staffMember,
  visitor,
  type Caller,
} from './callers.ts';
import { actsOn, fails, ONCE } from './lead-acts.ts';
import { engineOfFile } from './engines.ts';
import { sampleQuote } from './sample-quote.ts';

const ana = staffMember('Ana');
const WHAT_A_PHONE_READS = 'id, quote_id, body, price';
const SAID = ['quote_answers', 'quote_replies', 'quote_seen', 'quote_notes'];
const OF_STAFF = ['quotes', 'quote_desk', 'quote_events', 'desk_leads', ...SAID];
/** Tables that phones write to, besides the quote and the conversation. */
const SENT = [
  'quote_details',
  'shipment_papers',
  'quote_files',
  'quote_file_parts',
  'quote_link_closings',
  'promotion_withdrawals',
];

const engine = await engineOfFile();

const { ask, owner, put, quoted, takenBy, answer, answeredBy, reply, change, saw, block, codes } = actsOn(engine);
const note = (quote_id: string) => put(ana, 'quote_notes', { quote_id, body: 'Llamar el lunes' });
/** Returns all rows that are stored about a quote. */
const everything = async (id: string) => {
  const found: Record<string, object[]> = {};
  for (const table of ['quote_desk', ...SAID, 'quote_events', 'push_devices', 'alerts'])
    found[table] = await owner(`select * from public.${table} where quote_id = $1 order by 1`, [id]);
  const messages = 'select m.* from public.alert_messages as m join public.alerts as a on a.id = m.alert_id';
  found['messages'] = await owner(`${messages} where a.quote_id = $1`, [id]);
  return found;
};

test('a blocked quote is visible only to the service key until it is unblocked', async () => {
  const { id, answer_id } = await answeredBy(ana);
  await reply(id);
  await saw(id, answer_id);
  await note(id);
  const pdf = Buffer.from('%PDF-1.7');
  const huella = createHash('sha256').update(pdf).digest('hex');
  for (const [table, sample] of [
    ['quote_details', { id, quote_id: id, producto: 'Fresas' }],
    ['shipment_papers', { id, quote_id: id, papel: 'factura', estado: 'falta' }],
    // The file has the same id as its quote, so that `found` finds the file’s parts by the quote’s id.
    ['quote_files', { id, quote_id: id, nombre: 'a.pdf', tipo: 'application/pdf', bytes: pdf.length, huella }],
    ['quote_file_parts', { file_id: id, parte: 0, base64: pdf.toString('base64') }],
    ['quote_link_closings', { id, quote_id: id }],
    ['promotion_withdrawals', { id, quote_id: id }],
  ] as const)
    await put(presenting(id), table, sample);
  const found = async (caller: Caller, tables: readonly string[]) => {
    const read: string[] = [];
    for (const table of tables) {
      const key = { quotes: 'id', quote_file_parts: 'file_id' }[table] ?? 'quote_id';
      const columns = table === 'quote_answers' ? WHAT_A_PHONE_READS : key;
      const rows = await ask(caller, `select ${columns} from public.${table} where ${key} = $1`, [id]);
      if (rows.length > 0) read.push(table);
    }
    return read;
  };
  const everywhere = [...OF_STAFF, ...SENT];
  // The service key has no right to read the table of revoked share links (`quote_link_closings`).
  const ofService = everywhere.filter((table) => table !== 'quote_link_closings');
  const phones = ['quotes', 'quote_answers', 'quote_replies'];
  const knowing: Caller = { ...ana, headers: { 'x-submission-id': id } };
  const everybody = async () => [
    await found(ana, everywhere),
    await found(knowing, everywhere),
    await found(presenting(id), phones),
  ];
  expect(await everybody()).toEqual([everywhere, everywhere, phones]);
  expect(await block(id)).toHaveLength(1);
  expect(await everybody()).toEqual([[], [], []]);
  expect(await found(service, ofService)).toEqual(ofService);
  await block(id, null);
  expect(await everybody()).toEqual([everywhere, everywhere, phones]);
  expect((await codes(id)).slice(-2)).toEqual(['bloqueada', 'desbloqueada']);
});

test('a blocked quote accepts no owner, answer, note or reply, and keeps its blocked_at', async () => {
  const id = await takenBy(ana);
  await block(id);
  expect(await block(id, new Date(0))).toEqual([]);
  expect(await change(ana, id, { status: 'perdida' })).toEqual([]);
  for (const write of [() => answer(ana, id), () => note(id)])
    await expect(write()).rejects.toMatchObject({ code: expect.stringMatching(/^(PT409|42501)$/) });
  await fails(answer(service, id), 'PT409', 'blocked');
  // The phone gets the same response as for a missing quote, and keeps the reply.
  await fails(reply(id), '23503');
  expect(await codes(id)).toEqual(['creada', 'tomada', 'bloqueada']);
});

test('a colleague’s update that returns no rows does not change a blocked quote', async () => {
  const undone = engine.transaction(async (session) => {
    await session.run('truncate public.quotes cascade');
    await session.query(...insertion('quotes', sampleQuote(), ''));
    await session.run('update public.quote_desk set blocked_at = now()');
    await introduce(session, ana);
    await session.run("update public.quote_desk set status = 'tomada'");
    await introduce(session, service);
    throw Object.assign(new Error('undone'), { rows: await session.query('select status from public.quote_desk') });
  });
  await expect(undone).rejects.toMatchObject({ rows: [{ status: 'nueva' }] });
});

type Act = readonly [statement: string, values: unknown[]];
interface Said {
  readonly answer_id: string;
  readonly reply_id: string;
  readonly message_id: string;
}
/** Returns one statement of each kind that a phone may send about a quote. */
const actsOf = (id: string, { answer_id, reply_id, message_id }: Said): Readonly<Record<string, Act>> => {
  const word = { id: randomUUID(), quote_id: id, kind: 'pregunta', body: '¿?' };
  const seen = { answer_id, quote_id: id };
  const device = { endpoint: 'https://fcm.googleapis.com/x', ...DEVICE_KEYS };
  const correction = sampleQuote({ reemplaza: folioOf(id) });
  return {
    ...Object.fromEntries(
      ['quotes', 'quote_answers', 'quote_replies', 'quote_seen'].map((table): [string, Act] => {
        const columns = { quote_answers: WHAT_A_PHONE_READS, quote_seen: 'answer_id' }[table] ?? '*';
        return [`read ${table}`, [`select ${columns} from public.${table}`, []]];
      }),
    ),
    reply: insertion('quote_replies', word, ONCE),
    'reply without reading back': insertion('quote_replies', word, '', ''),
    'send a reply again': insertion('quote_replies', { ...word, id: reply_id }, ONCE),
    'accept an answer': insertion('quote_replies', { ...word, kind: 'aceptada', answer_id, body: '' }, ONCE),
    'send a reply with an empty text': insertion('quote_replies', { ...word, body: '' }, ONCE),
    'report an answer as shown': insertion('quote_seen', seen, 'on conflict (answer_id) do nothing', ''),
    'report an answer as shown and read back': insertion('quote_seen', seen, '', 'returning answer_id'),
    'subscribe to alerts': insertion('push_devices', { ...device, quote_id: id }, '', ''),
    'report an alert as shown': insertion('alert_shown', { message_id }, '', ''),
    correct: insertion('quotes', correction, ONCE, 'returning nombre, more'),
    'correct without reading back': insertion('quotes', correction, '', ''),
  };
};

test('a phone that sends to a blocked quote gets the response for a missing quote', async () => {
  /** Returns the rows of a statement, or all fields of the error that it causes. */
  const outcome = (caller: Caller, act: Act) =>
    ask(caller, act[0], act[1]).catch(({ code, message, detail = '', hint = '' }: Record<string, string>) => ({
      code,
      message,
      detail,
      hint,
    }));
  const { id, answer_id } = await answeredBy(ana);
  const [stored] = await reply(id);
  const [message] = await owner<{ id: string }>(
    `insert into public.alert_messages (alert_id, way, next_at)
       select id, 'push', now() from public.alerts where quote_id = $1 limit 1 returning id`,
    [id],
  );
  await block(id);
  const earlier = await everything(id);
  for (const present of [presenting, () => visitor]) {
    const never = randomUUID();
    const there = actsOf(id, { answer_id, reply_id: stored!.id, message_id: message!.id });
    const missing = actsOf(never, { answer_id: never, reply_id: randomUUID(), message_id: randomUUID() });
    for (const [name, act] of Object.entries(there))
      expect(await outcome(present(id), act), name).toEqual(await outcome(present(never), missing[name]!));
  }
  expect(await everything(id)).toEqual(earlier);
});

test('a blocked quote that is sent again counts as delivered, so the phone stops sending', async () => {
  const quote = sampleQuote();
  await quoted(quote);
  await block(quote.id);
  const earlier = await everything(quote.id);
  for (const caller of [visitor, presenting(quote.id)]) {
    expect(await ask(caller, ...insertion('quotes', quote, ONCE))).toEqual([]);
    await fails(ask(caller, ...insertion('quotes', quote, '')), '23505');
  }
  expect(await everything(quote.id)).toEqual(earlier);
});

test('an erased quote leaves only ids and event codes; only a blocked quote can be erased', async () => {
  const { id, answer_id } = await answeredBy(ana);
  await reply(id);
  await saw(id, answer_id);
  await note(id);
  const erase = () => ask(service, 'delete from public.quotes where id = $1 returning id', [id]);
  await fails(erase(), 'PT409', 'unblocked');
  await fails(asOwner(engine, `delete from public.quotes where id = '${id}'`), 'PT409');
  await block(id);
  expect(await erase()).toHaveLength(1);
  for (const table of ['quote_desk', ...SAID])
    expect(await ask(service, `select quote_id from public.${table} where quote_id = $1`, [id]), table).toEqual([]);
  const lived = ['creada', 'tomada', 'respondida', 'contestada', 'vista'];
  expect(await codes(id)).toEqual([...lived, 'bloqueada', 'borrada']);
  const columns = await owner<{ name: string }>(
    "select column_name as name from information_schema.columns where table_name = 'quote_events' order by 1",
  );
  expect(columns.map(({ name }) => name)).toEqual(['actor', 'at', 'code', 'id', 'quote_id', 'ref', 'version']);
});
