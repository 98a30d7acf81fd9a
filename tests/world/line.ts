import type { Answered } from './model.ts';
import { iso, shownOf } from './model.ts';
import { MINUTE, SECOND } from './time.ts';

/** How a phone's way to the server is just now. */
export type Line = 'good' | 'slow' | 'lossy' | 'none' | 'portal';

/** What becomes of one request on it. */
export interface Passage {
  /** Until the server has it; undefined: it never does, for it breaks off at some byte before. */
  readonly there: number | undefined;
  /** From the server's answer until the phone has it; undefined: that breaks off. */
  readonly back: number | undefined;
  /** A broken line is noticed after so long; undefined: never, and the phone gives up by itself. */
  readonly noticed: number | undefined;
  /** So much later the server has it a second time: browsers and proxies send a POST again by themselves. */
  readonly twice: number | undefined;
  /** Somebody else's answer. */
  readonly portal?: 'page' | 'redirect' | 'json';
  /** The answer breaks off in its body, after its head was there. */
  readonly isCut?: boolean;
}

const LOSSES: Readonly<Record<Line, number>> = { good: 0.01, slow: 0.06, lossy: 0.4, none: 1, portal: 0 };
const LATENCIES: Readonly<Record<Line, readonly [least: number, more: number]>> = {
  good: [30, 250],
  slow: [800, 9000],
  lossy: [60, 4000],
  none: [0, 200],
  portal: [20, 200],
};

/** Of a request and its answer any byte may be the last one that comes through. */
export function passageOn(line: Line, chance: () => number): Passage {
  const [least, more] = LATENCIES[line];
  const latency = () => least + chance() * chance() * more;
  if (line === 'portal') {
    const roll = chance();
    const portal = roll < 0.5 ? 'page' : roll < 0.75 ? 'redirect' : 'json';
    return { there: undefined, back: undefined, noticed: latency(), twice: undefined, portal };
  }
  const there = latency();
  const back = latency();
  const twice = chance() < 0.03 ? (chance() < 0.7 ? chance() * 3 * SECOND : chance() * 10 * MINUTE) : undefined;
  if (chance() >= LOSSES[line]) return { there, back, noticed: undefined, twice };
  const noticed = chance() < 0.5 ? latency() : undefined;
  // A request is some 700 bytes and its answer as much.
  const lastByte = line === 'none' ? 0 : Math.floor(chance() * 1400);
  if (lastByte < 700) return { there: undefined, back: undefined, noticed, twice: undefined };
  return lastByte < 950 ? { there, back: undefined, noticed, twice } : { there, back, noticed, twice, isCut: true };
}

/** As `fetch` gives it to the code of a page. */
export class WorldResponse {
  readonly status: number;
  readonly ok: boolean;
  readonly statusText = '';
  readonly headers: { get(name: string): string | null };
  readonly text: () => Promise<string>;

  constructor(status: number, headers: Readonly<Record<string, string>>, text: () => Promise<string>) {
    this.status = status;
    this.ok = status >= 200 && status < 300;
    this.headers = { get: (name) => headers[name.toLowerCase()] ?? null };
    this.text = text;
  }
}

export function responseOf({ status, code, message, retryAfter, rows }: Answered, now: number, isCut = false) {
  const body = JSON.stringify(
    rows ? rows.map((row) => withMoments(row)) : { code, message, details: null, hint: null },
  );
  return new WorldResponse(
    status,
    {
      'content-type': 'application/json; charset=utf-8',
      date: new Date(now).toUTCString(),
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    },
    isCut ? () => Promise.reject(new TypeError('network error')) : async () => body,
  );
}

function withMoments(row: Readonly<Record<string, unknown>>): object {
  const shown = shownOf(row);
  return typeof shown['entregada'] === 'number' ? { ...shown, entregada: iso(shown['entregada']) } : shown;
}

export function portalResponse(kind: 'page' | 'json'): WorldResponse {
  return kind === 'page'
    ? new WorldResponse(200, { 'content-type': 'text/html' }, async () => '<h1>WiFi</h1>')
    : new WorldResponse(200, { 'content-type': 'application/json' }, async () => '{"login":true}');
}
