import type { ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { drawsFrom } from '../chance.ts';
import type { oneRecordOf } from '../../src/lead/one-record.ts';
import { serving } from './processes.ts';

export const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

interface Received {
  readonly id: string;
  readonly type: string;
  readonly data: {
    readonly folio: string;
    readonly tag?: string;
    readonly one_record?: ReturnType<typeof oneRecordOf>;
  };
}

/** Faulty answers of a receiver. Before each of the first three the receiver stores the event, and so gets it twice. */
const FAULTS: readonly ((response: ServerResponse) => void)[] = [
  (response) => response.writeHead(500).end('stored, and yet an error'),
  (response) => response.destroy(),
  () => undefined,
  (response) => response.writeHead(503).end(),
  (response) => response.writeHead(302, { location: '/elsewhere' }).end(),
  () => undefined,
];
const STORED = 3;

/**
 * Starts a receiver as Standard Webhooks describes it: it verifies signatures, and stores each id once. `unruly` is
 * the share of requests that it answers badly, chosen by the seed.
 */
export async function startReceiver({ unruly = 0, seed = 1 } = {}) {
  const draws = drawsFrom(seed);
  const webhook = new Webhook(SECRET);
  const received = new Map<string, Received>();
  const strays: string[] = [];
  let requests = 0;
  const address = await serving(async (request, response) => {
    // A killed sender may close the connection in the middle of its request.
    const sent = await request.toArray().catch(() => undefined);
    if (!sent) return;
    requests += 1;
    if (request.method !== 'POST' || request.url !== '/hook?key=1') strays.push(`${request.method} ${request.url}`);
    const body = webhook.verify(Buffer.concat(sent).toString(), request.headers as Record<string, string>) as Received;
    const fault = draws.sometimes(unruly) ? draws.whole(FAULTS.length) : undefined;
    const id = request.headers['webhook-id'] as string;
    if ((fault === undefined || fault < STORED) && !received.has(id)) received.set(id, { ...body, id });
    if (fault === undefined) response.writeHead(204).end();
    else FAULTS[fault]!(response);
  });
  return {
    url: `${address}/hook?key=1`,
    host: new URL(address).host,
    /** Events in the order in which this receiver stored them. A repeated event is stored only once. */
    received: () => [...received.values()],
    requests: () => requests,
    /** Requests other than a POST to the receiver’s URL, which a sender of webhooks must not make. */
    strays,
  };
}

/** Returns the names of the events about each quote, in the order of arrival. */
export function byQuote(events: readonly Received[]): Map<string, string[]> {
  const quotes = new Map<string, string[]>();
  for (const { data, type } of events) quotes.set(data.folio, [...(quotes.get(data.folio) ?? []), type]);
  return quotes;
}
