import { createServer } from 'node:http';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { isSilent } from '../../src/lead/alert-sender.ts';
import { toBase64Url } from '../../src/lead/base64url.ts';
import { readMessages, type NewMessage } from '../../src/lead/messages.ts';
import { fitRow, SINCE } from '../../src/lead/schema-version.ts';
import { deliver, deliverMessage } from '../../src/outbox/delivery.ts';
import { attentionIn, type Entry } from '../../src/outbox/entry.ts';
import type { Outgoing } from '../../src/outbox/messages.ts';
import { newState } from '../../src/outbox/new-entry.ts';
import { listening } from '../listening.ts';
import { deliveredAt, MINUTE, NOW, Phone, SECOND, someQuote, waitingSince } from './phone.ts';

interface Sent {
  readonly address: string;
  readonly presented: string | undefined;
  readonly body: unknown;
}

const sent: Sent[] = [];
let answer: { readonly status: number; readonly body: unknown };
const server = createServer(async (incoming, outgoing) => {
  const body = JSON.parse(Buffer.concat(await incoming.toArray()).toString()) as unknown;
  sent.push({ address: incoming.url!, presented: incoming.headers['x-submission-id'] as string, body });
  outgoing.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
});
let origin: string;
beforeAll(async () => void (origin = await listening(server)));
afterAll(async () => {
  server.close().closeAllConnections();
  await once(server, 'close');
});
beforeEach(() => {
  vi.stubGlobal('self', { location: { origin } });
  vi.useFakeTimers({ toFake: ['Date'], now: NOW + 90 * SECOND });
  sent.length = 0;
  answer = { status: 201, body: [{ created_at: new Date(NOW).toISOString() }] };
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const beside = { quoteId: 'q', pressedAt: NOW };
const tables: readonly (readonly [Outgoing, string, object])[] = [
  [
    { id: 'm', kind: 'aceptada', answerId: 'a', facts: '4.10 USD', fromLink: true, ...beside },
    'quote_replies?on_conflict=id&select=*',
    { id: 'm', quote_id: 'q', kind: 'aceptada', answer_id: 'a', enlace: true, hace: 90 },
  ],
  [
    { id: 'm', kind: 'pregunta', answerId: 'a', body: '¿Y mañana?', ...beside },
    'quote_replies?on_conflict=id&select=*',
    { id: 'm', quote_id: 'q', kind: 'pregunta', answer_id: 'a', body: '¿Y mañana?' },
  ],
  [
    { id: 'm', kind: 'vista', answerId: 'a', ...beside },
    'quote_seen?on_conflict=answer_id&select=answer_id',
    { quote_id: 'q', answer_id: 'a' },
  ],
  [
    { id: 'm', kind: 'cierre', ...beside },
    'quote_link_closings?on_conflict=id&select=created_at',
    { id: 'm', quote_id: 'q' },
  ],
  [
    { id: 'm', kind: 'detalles', details: { piezas: 3 }, ...beside },
    'quote_details?on_conflict=id&select=created_at',
    { id: 'm', quote_id: 'q', piezas: 3, hace: 90 },
  ],
  [
    { id: 'm', kind: 'baja', ...beside },
    'promotion_withdrawals?on_conflict=id&select=created_at',
    { id: 'm', quote_id: 'q' },
  ],
];

test.each(tables.map(([message, to, row]) => ({ message, to, row, kind: message.kind })))(
  '$kind travels as a row of its own table, shown by the id of its quote',
  async ({ message, to, row }) => {
    expect(await deliverMessage(message)).toMatchObject({ kind: 'delivered', at: NOW });
    expect(sent).toEqual([{ address: `/rest/v1/${to}`, presented: 'q', body: row }]);
  },
);

test('words sent again say when they arrived first, an acceptance with the facts of its offer', async () => {
  for (const [message] of tables) await deliverMessage(message, NOW);
  const entregada = new Date(NOW).toISOString();
  expect(sent.map(({ body }) => body)).toEqual(
    tables.map(([{ kind }, , row]) => {
      if (kind === 'aceptada') return { ...row, body: '4.10 USD', entregada };
      return kind === 'pregunta' ? { ...row, entregada } : row;
    }),
  );
});

test('a quote with an invalid field is refused without a request', async () => {
  expect(await deliver(someQuote({ nombre: ' ' }))).toEqual({
    kind: 'refused',
    refusal: { kind: 'invalid', field: 'nombre' },
  });
  expect(sent).toEqual([]);
});

test.each([
  [400, { code: '22023', message: 'no' }, { kind: 'refused', refusal: { code: '22023' } }],
  [403, { code: '42501', message: 'no' }, { kind: 'access-denied' }],
  [503, { code: 'PT503', message: 'no' }, { kind: 'unreachable' }],
])('status %i with %j ends a message as %j', async (status, body, outcome) => {
  answer = { status, body };
  expect(await deliverMessage(tables[3]![0])).toMatchObject(outcome);
});

test('messages on disk keep their parts; words without theirs are refused, and others are left out', () => {
  const kept = tables.map(([{ quoteId: _quote, pressedAt, facts: _facts, fromLink: _link, ...message }]) => ({
    ...message,
    createdAt: pressedAt,
    state: newState(pressedAt),
  }));
  expect(readMessages(kept)).toEqual(kept);
  const broken = kept.map(({ id, kind, createdAt, state }) => ({ id, kind, createdAt, state }));
  const refused = { id: 'm', kind: 'pregunta', body: '', state: { kind: 'refused' } };
  expect(readMessages(broken.filter(({ kind }) => kind === 'pregunta'))).toMatchObject([refused]);
  expect(readMessages([{ id: 'm', kind: 'constructor' }])).toMatchObject([refused]);
  expect(readMessages(broken).map(({ kind }) => kind)).toEqual(['pregunta', 'cierre', 'baja']);
  expect(readMessages([null, {}, { id: 1, kind: 'baja' }])).toEqual([]);
});

test('an answer is accepted and seen once, and a file is kept once', async () => {
  const phone = new Phone();
  const outbox = phone.openTab();
  const entry = deliveredAt(NOW);
  await phone.keep(entry);
  const details = { nombre: 'a.pdf' };
  const said: NewMessage[] = [
    ...tables.map(([{ quoteId: _quote, pressedAt: _at, ...message }], index) => ({ ...message, id: `m${index}` })),
    { id: 'file', kind: 'archivo', details },
  ];
  for (const message of said) await outbox.say(entry.id, message);
  for (const message of said)
    await outbox.say(entry.id, { ...message, id: message.kind === 'archivo' ? 'file' : `${message.id}-again` });
  const ids = (await outbox.entries())[0]!.messages.map(({ id }) => id);
  expect(ids.filter((id) => id.endsWith('-again'))).toEqual(['m1-again', 'm3-again', 'm4-again', 'm5-again']);
  expect(ids.filter((id) => id === 'file')).toHaveLength(1);
  phone.turnOff();
});

test('a linked quote is kept as delivered, told and counted, with the deadline of its server', async () => {
  const phone = new Phone();
  const outbox = phone.openTab();
  const quote = someQuote();
  await outbox.adopt([{ quote, at: NOW, promisedAt: NOW + 5, closing: undefined }]);
  expect((await outbox.entries())[0]).toMatchObject({
    quote,
    openedAt: NOW,
    state: { kind: 'delivered', at: NOW, promisedAt: NOW + 5, told: true, counted: true },
  });
  phone.turnOff();
});

test('attention counts what waits, what can be corrected, and quotes with an unseen answer', () => {
  const refused = (refusal: object) =>
    ({ ...waitingSince(NOW), state: { kind: 'refused', at: NOW, refusal } }) as unknown as Entry;
  const unseen = { ...deliveredAt(NOW), answers: [{ id: 'a', at: NOW, body: '', told: true }] } as unknown as Entry;
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

test('a schema takes what its own migration or an earlier one brought', () => {
  SINCE.set('quotes.nueva', '2').set('quotes', '1').set('quotes.kind=other', '2');
  const row = { id: 'q', nueva: 'una' };
  expect([fitRow('quotes', row, '0'), fitRow('quotes', row, '1'), fitRow('quotes', row, '2')]).toEqual([
    undefined,
    { id: 'q' },
    row,
  ]);
  expect([fitRow('quotes', { kind: 'other' }, '1'), fitRow('quotes', { kind: 'other' }, '2')]).toEqual([
    undefined,
    { kind: 'other' },
  ]);
  SINCE.clear();
});

test('a sender of alerts is silent after three minutes', () => {
  expect([isSilent(NOW, NOW + 3 * MINUTE), isSilent(NOW, NOW + 3 * MINUTE + 1)]).toEqual([false, true]);
});

test('base64url has no character that an address escapes', () => {
  expect(toBase64Url(new Uint8Array([0xfb, 0xef, 0xbe, 0xff, 0xff]))).toBe('----__8');
});
