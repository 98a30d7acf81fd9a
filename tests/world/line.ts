import { shownOf, type Answered } from './model.ts';
import { MINUTE, SECOND } from './time.ts';

/** Quality of a phone's connection. */
export type Line = 'good' | 'slow' | 'lossy' | 'none';

/** Delays of a request and of its answer. The delay of a lost request or answer is undefined. */
interface Passage {
  readonly there?: number;
  /** Milliseconds from the server's answer to the phone. */
  readonly back?: number;
  /** Milliseconds until the phone notices a broken connection; undefined if the phone waits for its time-out. */
  readonly noticed?: number | undefined;
  /** Milliseconds until the request arrives a second time, because browsers and proxies may repeat a POST. */
  readonly twice?: number | undefined;
  /** True if the connection breaks in the middle of the answer. */
  readonly isCut?: boolean;
}

const LINES: Readonly<Record<Line, { readonly loss: number; readonly least: number; readonly more: number }>> = {
  good: { loss: 0.01, least: 30, more: 250 },
  slow: { loss: 0.06, least: 800, more: 9000 },
  lossy: { loss: 0.4, least: 60, more: 4000 },
  none: { loss: 1, least: 0, more: 200 },
};

/** Returns random delays and losses for a request over this connection, which may break after any byte. */
export function passageOn(line: Line, chance: () => number): Passage {
  const { loss, least, more } = LINES[line];
  const latency = () => least + chance() * chance() * more;
  const roll = chance();
  const there = latency();
  const back = latency();
  const twice = chance() < 0.03 ? (chance() < 0.7 ? chance() * 3 * SECOND : chance() * 10 * MINUTE) : undefined;
  if (roll >= loss) return { there, back, twice };
  const noticed = chance() < 0.5 ? latency() : undefined;
  // A request and its answer have about 700 bytes each.
  const lastByte = line === 'none' ? 0 : Math.floor(chance() * 1400);
  if (lastByte < 700) return { noticed };
  return lastByte < 950 ? { there, noticed, twice } : { there, back, noticed, twice, isCut: true };
}

/** Response that `fetch` returns in a simulated page. */
export interface WorldResponse {
  readonly status: number;
  readonly ok: boolean;
  readonly statusText: string;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

export function responseOf({ status, code, message, rows }: Answered, now: number, isCut = false): WorldResponse {
  const body = JSON.stringify(rows ? rows.map(shownOf) : { code, message, details: null, hint: null });
  const headers = new Map([
    ['content-type', 'application/json; charset=utf-8'],
    ['date', new Date(now).toUTCString()],
  ]);
  const text = isCut ? () => Promise.reject(new TypeError('network error')) : async () => body;
  const get = (name: string) => headers.get(name.toLowerCase()) ?? null;
  return { status, ok: status >= 200 && status < 300, statusText: '', headers: { get }, text };
}
