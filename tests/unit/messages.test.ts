import { createServer } from 'node:http';
import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { toBase64Url } from '../../src/lead/base64url.ts';
import { readMessages, type NewMessage } from '../../src/lead/messages.ts';
import { typedHeader } from '../../src/lead/typed-header.ts';
import { fitRow, SCHEMA_ADDITIONS } from '../../src/lead/schema-version.ts';
import { deliver, deliverMessage, fetchAnswers, fetchUnknown } from '../../src/outbox/delivery.ts';
import { attentionIn, type Entry } from '../../src/outbox/entry.ts';
import { syncAnswers } from '../../src/outbox/sync-answers.ts';
import { fetchLinkedQuotes } from '../../src/outbox/linked-quotes.ts';
import type { Outgoing } from '../../src/outbox/messages.ts';
import { newWaitingState } from '../../src/outbox/new-entry.ts';
import { outbox as ownOutbox } from '../../src/outbox/phone-outbox.ts';
import { storeNewQuote } from '../../src/outbox/store-new-quote.ts';
import { fetchPushKey, registerDevice } from '../../src/outbox/push-device.ts';
import { listening } from '../listening.ts';
import { DAY, deliveredAt, entryOf, MINUTE, NOW, outbox, phone, someQuote, usePhone, waitingSince } from './phone.ts';

interface Sent {
  readonly address: string;
  readonly presented: string | undefined;
  readonly body: unknown;
}

const requests: Sent[] = [];
let answer: { readonly status: number; readonly body: unknown };
/** Responses that the server gives before its usual response. */
const first: (typeof answer)[] = [];
const server = createServer(async (incoming, outgoing) => {
  const text = Buffer.concat(await incoming.toArray()).toString();
  const body = text ? (JSON.parse(text) as unknown) : undefined;
  requests.push({ address: incoming.url!, presented: incoming.headers['x-submission-id'] as string, body });
  const { status, body: says } = first.shift() ?? answer;
  outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(says));
});
let origin: string;
beforeAll(async () => void (origin = await listening(server)));
afterAll(async () => {
  server.close().closeAllConnections();
  await once(server, 'close');
});
beforeEach(() => {
  vi.stubGlobal('self', { location: { origin } });
  vi.useFakeTimers({ toFake: ['Date'], now: NOW + 60 * MINUTE });
  requests.length = first.length = 0;
  answer = { status: 201, body: [{ created_at: new Date(NOW).toISOString() }] };
});
usePhone();

/** Returns a message to send, with path and row of the request that must store the message. */
function sending(content: object, to: string, row: object, answered = 'id&select=created_at') {
  const message = { id: 'm', quoteId: 'q', pressedAt: NOW, ...content } as Outgoing;
  return [message, `${to}?on_conflict=${answered}`, { id: 'm', quote_id: 'q', ...row }] as const;
}
const [WORDS, PAPER] = [
  { answerId: 'a', body: '¿Y mañana?' },
  { papel: 'factura', estado: 'tengo' },
];
const OFFERED = { answerId: 'a', facts: '4.10 USD', fromLink: true };
const ACCEPTED = { kind: 'aceptada', answer_id: 'a', enlace: true, hace: 3600 };
const ASKED = { kind: 'pregunta', answer_id: 'a', body: '¿Y mañana?' };
const SEEN = { id: undefined, answer_id: 'a' };
const tables = [
  sending({ kind: 'aceptada', ...OFFERED }, 'quote_replies', ACCEPTED, 'id&select=*'),
  sending({ kind: 'pregunta', ...WORDS }, 'quote_replies', ASKED, 'id&select=*'),
  sending({ kind: 'vista', answerId: 'a' }, 'quote_seen', SEEN, 'answer_id&select=answer_id'),
  sending({ kind: 'cierre' }, 'quote_link_closings', {}),
  sending({ kind: 'detalles', details: { piezas: 3 } }, 'quote_details', { piezas: 3, hace: 3600 }),
  sending({ kind: 'papel', details: PAPER }, 'shipment_papers', { ...PAPER, hace: 3600 }),
  sending({ kind: 'baja' }, 'promotion_withdrawals', {}),
  sending({ kind: 'sincorreo' }, 'mail_stops', {}),
  sending({ kind: 'whatsapp' }, 'whatsapp_choices', { wanted: true }),
  sending({ kind: 'sinwhatsapp' }, 'whatsapp_choices', { wanted: false }),
];

test.each(tables.map(([message, to, row]) => ({ message, to, row, kind: message.kind })))(
  'a message of kind $kind goes to its own table, with the quote’s id as permission',
  async ({ message, to, row }) => {
    expect(await deliverMessage(message)).toMatchObject({ kind: 'delivered', at: NOW });
    expect(requests).toEqual([{ address: `/rest/v1/${to}`, presented: 'q', body: row }]);
  },
);

test('a resent reply carries the time of its first arrival', async () => {
  for (const [message] of tables) await deliverMessage(message, NOW);
  const entregada = new Date(NOW).toISOString();
  expect(requests.map(({ body }) => body)).toEqual(
    tables.map(([{ kind }, , row]) => {
      if (kind === 'aceptada') return { ...row, body: '4.10 USD', entregada };
      return kind === 'pregunta' ? { ...row, entregada } : row;
    }),
  );
});

test('the phone sends no request for a quote with an invalid field', async () => {
  expect(await deliver(someQuote({ nombre: ' ' }))).toEqual({
    kind: 'refused',
    refusal: { kind: 'invalid', field: 'nombre' },
  });
  expect(requests).toEqual([]);
});

test.each([
  [400, { code: '22023', message: 'no' }, { kind: 'refused', refusal: { code: '22023' } }],
  [403, { code: '42501', message: 'no' }, { kind: 'access-denied' }],
  [503, { code: 'PT503', message: 'no' }, { kind: 'unreachable' }],
])('a message to which the server answers status %i and %j ends as %j', async (status, body, outcome) => {
  answer = { status, body };
  expect(await deliverMessage(tables[3]![0])).toMatchObject(outcome);
});

test.each([
  [
    { status: 200, body: [] },
    { kind: 'refused', refusal: { code: '23503' } },
  ],
  [{ status: 200, body: [{ id: 'q' }] }, { kind: 'quote-lost' }],
  [{ status: 503, body: {} }, { kind: 'unreachable' }],
])('a reply whose quote is missing ends by whether the server lost that quote: %j', async (known, outcome) => {
  const missing = { status: 409, body: { code: '23503', message: 'no' } };
  // A refused reply is sent a second time.
  first.push(missing, known, missing, known);
  expect(await deliverMessage(tables[1]![0])).toMatchObject(outcome);
});

test('stored messages are read; a stored question without text counts as refused', () => {
  const messages = tables.map(([{ quoteId: _quote, pressedAt, facts: _facts, fromLink: _link, ...message }]) => ({
    ...message,
    createdAt: pressedAt,
    state: newWaitingState(pressedAt),
  }));
  expect(readMessages(messages)).toEqual(messages);
  const broken = messages.map(({ id, kind, createdAt, state }) => ({ id, kind, createdAt, state }));
  const refused = { id: 'm', kind: 'pregunta', body: '', state: { kind: 'refused' } };
  expect(readMessages(broken.filter(({ kind }) => kind === 'pregunta'))).toMatchObject([refused]);
  expect(readMessages([{ id: 'm', kind: 'constructor' }])).toMatchObject([refused]);
  const kinds = readMessages(broken).map(({ kind }) => kind);
  expect(kinds.join(' ')).toBe('pregunta cierre baja sincorreo whatsapp sinwhatsapp');
  expect(readMessages([null, {}, { id: 1, kind: 'baja' }])).toEqual([]);
});

test('the outbox stores only one acceptance for each answer, and each file once', async () => {
  const entry = deliveredAt(NOW);
  await phone.keep(entry);
  const details = { nombre: 'a.pdf' };
  const messages: NewMessage[] = [
    ...tables.map(([{ quoteId: _quote, pressedAt: _at, ...message }], index) => ({ ...message, id: `m${index}` })),
    { id: 'file', kind: 'archivo', details },
  ];
  for (const message of messages) await outbox.addMessage(entry.id, message);
  for (const message of messages)
    await outbox.addMessage(entry.id, { ...message, id: message.kind === 'archivo' ? 'file' : `${message.id}-again` });
  const ids = (await outbox.entries())[0]!.messages.map(({ id }) => id);
  // The outbox ignores a repeated acceptance (m0) and a repeated "seen" (m2). It stores all other messages again.
  const again = ids.flatMap((id) => (id.endsWith('-again') ? [id.slice(0, 2)] : []));
  expect(again.join(' ')).toBe('m1 m3 m4 m5 m6 m7 m8 m9');
  expect(ids.filter((id) => id === 'file')).toHaveLength(1);
});

test('a quote from a share link is stored as delivered, with its promised time of answer', async () => {
  const quote = someQuote();
  const [known, forgotten] = [deliveredAt(NOW), { ...deliveredAt(NOW - DAY), quote: null }];
  await phone.keep(known, forgotten);
  const linked = { at: NOW, promisedAt: NOW + 5, closing: undefined };
  const copies = [known.id, forgotten.id].map((id) => ({ ...linked, quote: someQuote({ id }) }));
  await outbox.addLinked([{ ...linked, quote }, ...copies]);
  expect(await entryOf(known.id)).toEqual(known);
  expect(await entryOf(forgotten.id)).toMatchObject({ quote: copies[1]!.quote });
  expect(await entryOf(quote.id)).toMatchObject({
    quote,
    openedAt: NOW,
    state: { kind: 'delivered', at: NOW, promisedAt: NOW + 5, announced: true, counted: true },
  });
});

test('the badge counts waiting quotes, quotes to correct and unseen answers', () => {
  const refused = (refusal: object) =>
    ({ ...waitingSince(NOW), state: { kind: 'refused', at: NOW, refusal } }) as unknown as Entry;
  const unseen = {
    ...deliveredAt(NOW),
    answers: [{ id: 'a', at: NOW, body: '', announced: true }],
  } as unknown as Entry;
  const entries = [
    waitingSince(NOW),
    refused({ kind: 'invalid', field: 'peso' }),
    refused({ kind: 'rejected', code: '22023', message: '' }),
    refused({ kind: 'known' }),
    refused({ kind: 'superseded' }),
    unseen,
    deliveredAt(NOW),
  ];
  expect(attentionIn(entries)).toEqual({ waiting: 1, correction: 2, unseen: 1, count: 4 });
});

test('the phone sends an older database only the columns that this database has', () => {
  SCHEMA_ADDITIONS.set('quotes.nueva', '2').set('quotes', '1').set('quotes.kind=other', '2');
  const [row, other] = [{ id: 'q', nueva: 'una' }, { kind: 'other' }];
  expect(['0', '1', '2'].map((version) => fitRow('quotes', row, version))).toEqual([undefined, { id: 'q' }, row]);
  expect(['1', '2'].map((version) => fitRow('quotes', other, version))).toEqual([undefined, other]);
  SCHEMA_ADDITIONS.clear();
});

test('the phone asks for the database’s version after a refusal, and then sends only known columns', async () => {
  SCHEMA_ADDITIONS.set('quote_details.piezas', '2').set('quote_details.hace', '1');
  first.push({ status: 400, body: { code: 'PGRST204', message: 'no' } }, { status: 200, body: [{ version: '1' }] });
  expect(await deliverMessage(tables[4]![0])).toMatchObject({ kind: 'delivered' });
  expect(requests.map(({ body }) => body)).toEqual([
    { id: 'm', quote_id: 'q', piezas: 3, hace: 3600 },
    undefined,
    { id: 'm', quote_id: 'q', hace: 3600 },
  ]);
  SCHEMA_ADDITIONS.clear();
});

const addresses = () => requests.map(({ address, presented }) => `${address.replace('/rest/v1/', '')} ${presented}`);

test('the phone fetches the answers to several quotes in one request', async () => {
  const row = { quote_id: 'q', body: 'Sí', created_at: new Date(NOW).toISOString(), price: null, valid_until: null };
  answer = { status: 200, body: [{ ...row, id: 'a' }, { ...row, id: 'b', quote_id: 'r' }, { quote_id: 'r' }] };
  const answers = (await fetchAnswers(['q', 'r', 's']))!;
  expect([...answers].map(([id, list]) => [id, list.map((each) => each.id)])).toEqual([
    ['q', ['a']],
    ['r', ['b']],
    ['s', []],
  ]);
  expect(answers.get('q')).toMatchObject([{ at: NOW, body: 'Sí', announced: false, price: undefined }]);
  expect(addresses()).toEqual(['quote_words?select=*&order=created_at.asc q,r,s']);
});

test('a quote from a share link is read even if some fields are empty', async () => {
  const others = someQuote({ peso: 300 });
  const row = { ...others, email: null, llamada: false, promociones: true, closing: null };
  const times = { created_at: new Date(NOW).toISOString(), promised_at: new Date(NOW + 5).toISOString() };
  const body = [
    { ...row, ...times },
    { ...row, ...times, promised_at: null, peso: null, closing: 'c' },
    7,
    { id: 'x' },
  ];
  answer = { status: 200, body };
  const quote = { ...others, email: '', promociones: true };
  const linked = { at: NOW, promisedAt: NOW + 5 };
  expect(await fetchLinkedQuotes(['one', 'other'])).toEqual([
    { quote, ...linked, closing: undefined },
    { quote: { ...quote, peso: 0 }, ...linked, promisedAt: 0, closing: 'c' },
  ]);
  expect(addresses()).toEqual(['quote_links?select=* one,other']);
});

const device = { endpoint: 'https://push.example', p256dh: 'p', auth: 'a' };

test('the phone fetches the server’s push key, and registers for push messages about a quote', async () => {
  answer = { status: 200, body: [{ public_key: 'key' }] };
  expect(await fetchPushKey()).toBe('key');
  answer = { status: 201, body: [] };
  expect(await registerDevice('q', device)).toBe(true);
  expect(addresses()).toEqual(['push_keys?select=public_key undefined', 'push_devices q']);
  expect(requests[1]!.body).toEqual({ ...device, quote_id: 'q' });
});

test('the phone treats an error status as if the server had not answered', async () => {
  answer = { status: 403, body: { code: '42501', message: 'no' } };
  expect([
    await fetchAnswers(['q']),
    await fetchUnknown(['q']),
    await fetchLinkedQuotes(['q']),
    await fetchPushKey(),
    await registerDevice('q', device),
    await syncAnswers([deliveredAt(NOW)]),
  ]).toEqual([undefined, undefined, undefined, undefined, false, false]);
});

test('the phone asks about twenty quotes per request, and daily whether the server lost any', async () => {
  const linked = Array.from({ length: 41 }, () => ({ quote: someQuote(), at: NOW, promisedAt: 0, closing: undefined }));
  await ownOutbox.addLinked(linked);
  const entries = await ownOutbox.entries();
  answer = { status: 200, body: [] };
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1);
  const batches = (name: string) =>
    requests.filter(({ address }) => address.includes(name)).map(({ presented }) => presented!.split(',').length);
  expect(await syncAnswers(entries)).toBe(true);
  clock.mockReturnValue(1 + DAY);
  await syncAnswers(entries.slice(0, 40));
  expect(batches('quote_words')).toEqual([20, 20, 1, 20, 20]);
  expect(batches('unknown_submissions')).toEqual([20, 20, 1]);
  clock.mockReturnValue(2 + DAY);
  answer = { status: 200, body: [{ id: entries[7]!.id }] };
  expect(await syncAnswers([])).toBe(true);
  expect(batches('unknown_submissions')).toHaveLength(3);
  await syncAnswers(entries.slice(0, 1));
  expect(requests.filter(({ body }) => body !== undefined)).toMatchObject([{ body: { id: entries[7]!.id } }]);
  await ownOutbox.erase();
});

test('a new quote is stored before it is announced to other tabs, and overwrites no quote', async () => {
  const announced: string[] = [];
  const Channel = class extends BroadcastChannel {
    override postMessage(message: unknown) {
      announced.push(this.name);
      super.postMessage(message);
    }
  };
  vi.stubGlobal('BroadcastChannel', Channel);
  const durability = vi.spyOn(IDBDatabase.prototype, 'transaction');
  const quote = someQuote();
  const entry = await storeNewQuote(quote);
  expect(durability).toHaveBeenCalledWith('quotes', 'readwrite', { durability: 'strict' });
  durability.mockRestore();
  expect(entry).toMatchObject({
    id: quote.id,
    createdAt: NOW + 60 * MINUTE,
    quote,
    state: { kind: 'waiting', attempts: 0 },
  });
  await expect(storeNewQuote({ ...quote, peso: 1 })).rejects.toThrow();
  expect(announced).toEqual(['aeropuente-quotes']);
  expect(await ownOutbox.entries()).toEqual([entry]);
  vi.unstubAllGlobals();
  await ownOutbox.erase();
});

test('a base64url text needs no escape in a URL', () => {
  expect(toBase64Url(new Uint8Array([0xfb, 0xef, 0xbe, 0xff, 0xff]))).toBe('----__8');
});

test('a typed search text is encoded for an HTTP header', () => {
  expect(typedHeader('Peña "1~2" \\ 中\n')).toBe(String.raw`Pe\u00f1a \"1~2\" \\ \u4e2d\n`);
});
