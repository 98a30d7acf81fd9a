import * as z from 'zod/mini';
import { FIELDS } from './fields.ts';
import type { Refusal } from './refusal.ts';
import { isRecord, timestamp, oneOf, readValue, readShape, type Valid } from './validation.ts';

/**
 * Reasons why the last try failed. `retry-after`: the server sent Retry-After. `access-denied`: the server's
 * configuration refuses all requests.
 */
const TROUBLES = ['none', 'unreachable', 'retry-after', 'access-denied'] as const;
export type SendTrouble = (typeof TROUBLES)[number];

const shapes = {
  waiting: {
    kind: oneOf(['waiting']),
    attempts: timestamp,
    since: timestamp,
    nextTry: timestamp,
    /** Time until which the page shows 'enviando' and blocks removal and correction. */
    sendingUntil: timestamp,
    trouble: oneOf(TROUBLES),
  },
  delivered: { kind: oneOf(['delivered']), at: timestamp, announced: z.boolean(), counted: z.boolean() },
  refused: {
    kind: oneOf(['refused']),
    at: timestamp,
    refusal: z.custom<Refusal>(
      (stored) =>
        isRecord(stored) &&
        (['known', 'superseded', 'rejected'].includes(stored['kind']) ||
          (stored['kind'] === 'invalid' && readValue(oneOf(FIELDS), stored['field']) !== undefined)),
    ),
  },
};

export type DeliveryState = WaitingState | DeliveredState | Valid<typeof shapes.refused>;

/**
 * `deliveredAt`: time of the first delivery, if the server has lost the quote since and it must be sent again. `come`:
 * number of parts of a file that have reached the server.
 */
export type WaitingState = Valid<typeof shapes.waiting> & {
  readonly deliveredAt?: number;
  readonly come?: number;
};

/**
 * `promisedAt`: deadline of the answer, set by the server. `resentAt`: time of the second delivery, if the server had
 * lost the first.
 */
export type DeliveredState = Valid<typeof shapes.delivered> & {
  readonly promisedAt?: number | undefined;
  readonly resentAt?: number;
};

/**
 * Reads a state from disk. `isWhole`: false if the quote or message itself is unreadable. Its state is then never
 * 'waiting', so the quote or message is never sent.
 */
export function readDeliveryState(stored: unknown, createdAt: number, isWhole: boolean): DeliveryState {
  const time = (name: 'deliveredAt' | 'promisedAt' | 'resentAt' | 'come') =>
    isRecord(stored) && stored[name] !== undefined ? { [name]: readValue(timestamp, stored[name]) ?? createdAt } : {};
  const waiting =
    isWhole &&
    readShape(shapes.waiting, stored, { attempts: 0, since: createdAt, nextTry: 0, sendingUntil: 0, trouble: 'none' });
  if (waiting)
    return {
      ...waiting,
      attempts: Math.max(0, waiting.attempts),
      ...time('deliveredAt'),
      ...time('come'),
    };
  const delivered = readShape(shapes.delivered, stored, { at: createdAt, announced: false, counted: false });
  if (delivered) return { ...delivered, ...time('promisedAt'), ...time('resentAt') };
  return (
    readShape(shapes.refused, stored, { at: createdAt }) ?? {
      kind: 'refused',
      at: 0,
      refusal: { kind: 'rejected', code: '', message: '' },
    }
  );
}
