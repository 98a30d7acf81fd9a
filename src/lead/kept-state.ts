import * as z from 'zod/mini';
import { FIELDS } from './fields.ts';
import type { Refusal } from './refusal.ts';
import { isRecord, moment, oneOf, part, readShape, type Of } from './shape.ts';

/** The trouble of the last try. `told-to-wait`: the server named its time; `access-denied`: our side lets nobody in. */
const TROUBLES = ['none', 'unreachable', 'told-to-wait', 'access-denied'] as const;
export type Trouble = (typeof TROUBLES)[number];

const shapes = {
  waiting: {
    kind: oneOf(['waiting']),
    attempts: moment,
    /** When this wait began, and when it ends. */
    since: moment,
    nextTry: moment,
    /** Until then it is shown as 'enviando', and cannot be removed or corrected. */
    sendingUntil: moment,
    trouble: oneOf(TROUBLES),
  },
  delivered: { kind: oneOf(['delivered']), at: moment, told: z.boolean(), counted: z.boolean() },
  refused: {
    kind: oneOf(['refused']),
    at: moment,
    refusal: z.custom<Refusal>(
      (kept) =>
        isRecord(kept) &&
        (['known', 'superseded', 'rejected'].includes(kept['kind']) ||
          (kept['kind'] === 'invalid' && part(oneOf(FIELDS), kept['field']) !== undefined)),
    ),
  },
};

/** Where something stands that goes to the sales team: a quote, or what its sender replied to their answer. */
export type State = WaitingState | DeliveredState | Of<typeof shapes.refused>;

/**
 * `deliveredAt`: it is sent again, and the server that had it from then on has lost it since. `come`: how many parts of a
 * file the server has.
 */
export type WaitingState = Of<typeof shapes.waiting> & {
  readonly deliveredAt?: number;
  readonly come?: number;
};

/** `promisedAt`: deadline that the server gave. `resentAt`: moment of a second delivery, to a server that had lost the first. */
export type DeliveredState = Of<typeof shapes.delivered> & {
  readonly promisedAt?: number | undefined;
  readonly resentAt?: number;
};

/** A state on disk; one that waits is one only where what is to be sent `isWhole`. */
export function readState(kept: unknown, createdAt: number, isWhole: boolean): State {
  const time = (name: 'deliveredAt' | 'promisedAt' | 'resentAt' | 'come') =>
    isRecord(kept) && kept[name] !== undefined ? { [name]: part(moment, kept[name]) ?? createdAt } : {};
  const waiting =
    isWhole &&
    readShape(shapes.waiting, kept, { attempts: 0, since: createdAt, nextTry: 0, sendingUntil: 0, trouble: 'none' });
  if (waiting)
    return {
      ...waiting,
      attempts: Math.max(0, waiting.attempts),
      ...time('deliveredAt'),
      ...time('come'),
    };
  const delivered = readShape(shapes.delivered, kept, { at: createdAt, told: false, counted: false });
  if (delivered) return { ...delivered, ...time('promisedAt'), ...time('resentAt') };
  return (
    readShape(shapes.refused, kept, { at: createdAt }) ?? {
      kind: 'refused',
      at: 0,
      refusal: { kind: 'rejected', code: '', message: '' },
    }
  );
}
