import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { chanceFrom } from '../chance.ts';
import { ALERT_TABLES, DESK_TABLES } from './callers.ts';
import { dataDirectory, runQuotes, send, startServer } from './processes.ts';
import { sampleQuote } from './sample-quote.ts';

const SEED = 20_261_122;
const REQUESTS = 8000;
const SOCKETS = 2000;
const SIDE_BY_SIDE = 16;

const chance = chanceFrom(SEED);
const whole = (below: number) => Math.floor(chance() * below);
const oneOf = <Item>(items: readonly Item[]): Item => items[whole(items.length)]!;
const sometimes = (part: number) => chance() < part;

const NASTY = [
  '',
  'null',
  '*',
  '"',
  "'; drop table quotes; --",
  '%',
  '%00',
  'a\u0000b',
  '\ud800',
  '🥭'.repeat(40),
  'x'.repeat(3000),
  '('.repeat(500),
  '[[[[[[',
  '1e999',
  '-0',
  '99999999999999999999',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  '2026-13-45',
  '00000000-0000-0000-0000-000000000000',
];
const COLUMNS = [
  'id',
  'nombre',
  'email',
  'peso',
  'folio',
  'created_at',
  'color',
  'or',
  'and',
  'not.or',
  'select',
  'order',
  'limit',
  'offset',
  'on_conflict',
  'columns',
  'apikey',
  'quote_id',
  'answer_id',
  'kind',
  'status',
  'version',
  'due_at',
];
const OPERATORS = ['eq', 'gte', 'in', 'is', 'like', 'match', 'fts', 'not.eq', 'cs', 'neq', ''];

/** The same text with some of it gone, doubled, turned around or replaced. */
function mutated(text: string): string {
  let changed = text;
  for (let times = 1 + whole(4); times > 0; times -= 1) {
    const at = whole(changed.length + 1);
    const to = at + whole(8);
    changed =
      changed.slice(0, at) +
      oneOf(['', changed.slice(at, to).repeat(2), oneOf(NASTY), String.fromCharCode(whole(256))]) +
      changed.slice(to);
  }
  return changed;
}

function fuzzedQuery(): string {
  const parts = Array.from({ length: whole(4) }, () => {
    const value = oneOf([
      `${oneOf(OPERATORS)}.${oneOf(NASTY)}`,
      `in.(${NASTY.slice(0, whole(6)).join(',')})`,
      oneOf(NASTY),
    ]);
    return `${encodeURIComponent(wellFormed(oneOf([...COLUMNS, oneOf(NASTY)])))}=${sometimes(0.9) ? encodeURIComponent(wellFormed(value)) : escape(value)}`;
  });
  return parts.length > 0 ? `?${parts.join('&')}` : '';
}

const wellFormed = (text: string) => text.toWellFormed();

function fuzzedBody(): string {
  const quote_id = randomUUID();
  const ofTheDesk = oneOf<Record<string, unknown>>([
    { id: randomUUID(), quote_id, answer_id: randomUUID(), kind: 'aceptada', body: '' },
    { answer_id: randomUUID(), quote_id },
    { id: randomUUID(), quote_id, body: 'Sale el jueves.', price: 4.1, price_for: 'kilo', currency: 'USD' },
    { status: 'tomada', assignee: randomUUID(), version: 1 },
  ]);
  const quote: Record<string, unknown> = sometimes(0.8) ? sampleQuote() : ofTheDesk;
  for (let times = whole(3); times > 0; times -= 1) {
    quote[oneOf([...Object.keys(quote), 'color', '__proto__'])] = oneOf<unknown>([
      ...NASTY,
      null,
      true,
      1.5,
      -1,
      1e300,
      [],
      {},
      [[[]]],
    ]);
  }
  const text = JSON.stringify(oneOf<unknown>([quote, quote, quote, [quote], [quote, sampleQuote()], null, 5]));
  return sometimes(0.5) ? text : mutated(text);
}

function fuzzedHeaders(): Record<string, string> {
  const headers: Record<string, string> = { apikey: 'aeropuente-public', 'content-type': 'application/json' };
  for (let times = whole(3); times > 0; times -= 1) {
    const name = oneOf([
      'prefer',
      'accept',
      'range',
      'authorization',
      'apikey',
      'content-type',
      'x-submission-id',
      'x-forwarded-for',
      'accept-profile',
      'cf-connecting-ip',
      'content-encoding',
      'expect',
    ]);
    const usual = oneOf([
      'return=representation',
      'resolution=ignore-duplicates,return=representation',
      'Bearer a.b.c',
      'application/json',
      'a,b,c',
      oneOf(NASTY),
    ]);
    // What Node would not even send is sent below, as bytes.
    headers[name] = usual.replaceAll(/[^\t\u0020-\u007e]/g, '?');
  }
  return headers;
}

test(
  'ten thousand mutated requests and raw bytes: no crash, no hang, no fault, and no row but one’s own',
  { timeout: 300_000 },
  async () => {
    const limits = { LIMIT_REFUSED_PER_ADDRESS: '0', RATE_LIMIT_OVERALL: '0' };
    const dataDir = await dataDirectory();
    const { server, address } = await startServer(dataDir, limits);
    const { hostname, port } = new URL(address);
    const others = [
      sampleQuote({ nombre: 'Vecina', email: 'vecina@ejemplo.mx' }),
      sampleQuote({ nombre: 'Vecina', email: 'vecina2@ejemplo.mx' }),
    ];
    for (const quote of others) expect((await send(address, quote)).status).toBe(201);

    const agent = new Agent({ keepAlive: true, maxSockets: SIDE_BY_SIDE });
    const statuses: Record<number, number> = {};
    const bad: string[] = [];

    const askOnce = () =>
      new Promise<void>((resolve) => {
        const method = oneOf(['GET', 'GET', 'POST', 'POST', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD', 'OPTIONS']);
        const place = sometimes(0.85)
          ? `/rest/v1/${sometimes(0.7) ? 'quotes' : oneOf([...DESK_TABLES, ...ALERT_TABLES])}`
          : encodeURI(wellFormed(mutated('/rest/v1/quotes')).replaceAll(/[?#]/g, '')) || '/';
        const path = `${place.startsWith('/') ? '' : '/'}${place}${fuzzedQuery()}`;
        const asked = request(
          {
            hostname: hostname.replace('localhost', '127.0.0.1'),
            port,
            method,
            path,
            agent,
            headers: fuzzedHeaders(),
            timeout: 20_000,
          },
          (answer) => {
            let text = '';
            answer.on('data', (data: Buffer) => (text += data));
            answer.on('error', () => resolve());
            answer.on('end', () => {
              const { statusCode: status = 0 } = answer;
              statuses[status] = (statuses[status] ?? 0) + 1;
              if ((status >= 500 && status !== 503) || /vecina/i.test(text))
                bad.push(`${method} ${path} ${status} ${text}`.slice(0, 500));
              resolve();
            });
          },
        );
        asked.on('timeout', () => {
          bad.push(`${method} ${path} hangs`);
          asked.destroy();
        });
        asked.on('error', () => resolve());
        asked.end(['POST', 'PATCH', 'PUT'].includes(method) ? fuzzedBody() : undefined);
      });

    const sendBytes = () =>
      new Promise<void>((resolve) => {
        const valid = `POST /rest/v1/quotes HTTP/1.1\r\nhost: x\r\napikey: aeropuente-public\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{"id":1}\n`;
        const bytes = sometimes(0.8)
          ? Buffer.from(mutated(valid))
          : Buffer.from(Array.from({ length: whole(400) }, () => whole(256)));
        const socket = connect(Number(port), '127.0.0.1', () => socket.end(bytes));
        socket.setTimeout(30_000, () => {
          bad.push(`A socket hangs after ${JSON.stringify(bytes.toString('latin1'))}`);
          socket.destroy();
        });
        socket.on('data', (data: Buffer) => {
          if (/ 5(?!03)\d\d /.test(data.toString('latin1').slice(0, 20)))
            bad.push(`${bytes.toString('latin1')} → ${data.toString().slice(0, 100)}`);
        });
        socket.on('error', () => resolve());
        socket.on('close', () => resolve());
      });

    const inTurns = async (times: number, work: () => Promise<void>) => {
      let left = times;
      await Promise.all(
        Array.from({ length: SIDE_BY_SIDE }, async () => {
          while (left-- > 0) await work();
        }),
      );
    };
    await inTurns(REQUESTS, askOnce);
    await inTurns(SOCKETS, sendBytes);
    agent.destroy();

    expect(bad.slice(0, 5), `seed ${SEED}`).toEqual([]);
    // Not everything was turned away at the door: the rest is reached too.
    for (const status of [200, 201, 400, 401, 404, 405])
      expect(statuses[status] ?? 0, JSON.stringify(statuses)).toBeGreaterThan(5);
    expect(server.errors).toMatch(/^X-Forwarded-For arrives, and TRUST_PROXY is 0: .*\n$/);
    expect((await fetch(`${address}/healthz`)).status).toBe(200);
    expect((await send(address, sampleQuote())).status).toBe(201);
    const rows = JSON.parse((await runQuotes({ DATA_DIR: dataDir }, '--json')).output) as { id: string }[];
    for (const quote of others) expect(rows).toContainEqual(expect.objectContaining(quote));
  },
);
