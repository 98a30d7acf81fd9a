import * as z from 'zod/mini';
import { ANSWER_KINDS, HEARD_STATES, lastDay, readPrice, type Price } from './offer.ts';
import { isRecord, moment, oneOf, part, readPresent, readShape, type Of } from './shape.ts';

const answerShape = {
  id: z.string(),
  /** By the server's clock. */
  at: moment,
  body: z.string(),
  /** A page or a notification said that it is there. */
  told: z.boolean(),
};

/** Parts that each kind of answer has or has not. */
const offerShape = {
  kind: oneOf(ANSWER_KINDS),
  /** What the price is for: kilos a month where it is by the kilo, the kilos of one shipment where it is for all. */
  kilos: z.number(),
  state: oneOf(HEARD_STATES),
  stateAt: moment,
  /** Why it was withdrawn, or what comes next. */
  word: z.string(),
  /** The airline's. */
  reference: z.string(),
};

/** An answer of the sales team to a quote. */
export type Answer = Of<typeof answerShape> & {
  readonly [Name in keyof typeof offerShape]?: Of<typeof offerShape>[Name] | undefined;
} & {
  readonly price: Price | undefined;
  /** The last day on which it holds, in Tijuana. */
  readonly validUntil: string | undefined;
};

/** The answer that a row of the server holds; undefined where it holds none. */
export function answerIn(row: unknown): Answer | undefined {
  if (!isRecord(row)) return undefined;
  const { price: amount, currency, price_for: per, created_at, state_at, valid_until: validUntil } = row;
  return readAnswer({
    ...row,
    at: Date.parse(String(created_at)),
    stateAt: Date.parse(String(state_at)),
    price: amount === null ? undefined : { amount, currency, per },
    validUntil,
  });
}

/** The answers on disk. One that cannot be understood is left out: the server has it. */
export function readAnswers(kept: unknown): readonly Answer[] {
  return (Array.isArray(kept) ? kept : [])
    .flatMap((answer) => readAnswer(answer) ?? [])
    .toSorted((a, b) => a.at - b.at);
}

function readAnswer(kept: unknown): Answer | undefined {
  const answer = readShape(answerShape, kept, { at: 0, told: false });
  if (!answer || !isRecord(kept)) return undefined;
  return {
    ...answer,
    ...readPresent(offerShape, kept),
    price: readPrice(kept['price']),
    validUntil: part(lastDay, kept['validUntil']),
  };
}
