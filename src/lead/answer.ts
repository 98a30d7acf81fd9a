import * as z from 'zod/mini';
import { ANSWER_KINDS, HEARD_STATES, lastDay, readPrice, type Price } from './offer.ts';
import { isRecord, moment, oneOf, part, readPresent, readShape, type Of } from './shape.ts';

const answerShape = {
  id: z.string(),
  at: moment,
  body: z.string(),
  told: z.boolean(),
};

const offerShape = {
  kind: oneOf(ANSWER_KINDS),
  /** Kilos that the price covers: per month for a price by the kilo, else of one shipment. */
  kilos: z.number(),
  state: oneOf(HEARD_STATES),
  stateAt: moment,
  /** Reason of a withdrawal, or next step. */
  word: z.string(),
  reference: z.string(),
  /** True if the server mails answers to customers too. */
  byMail: z.boolean(),
};

export type Answer = Of<typeof answerShape> & {
  readonly [Name in keyof typeof offerShape]?: Of<typeof offerShape>[Name] | undefined;
} & {
  readonly price: Price | undefined;
  /** Last day of the offer, in Tijuana. */
  readonly validUntil: string | undefined;
};

export function answerIn(row: unknown): Answer | undefined {
  if (!isRecord(row)) return undefined;
  const { price: amount, currency, price_for: per, created_at, state_at, valid_until: validUntil, by_mail } = row;
  return readAnswer({
    ...row,
    at: Date.parse(String(created_at)),
    stateAt: Date.parse(String(state_at)),
    price: amount === null ? undefined : { amount, currency, per },
    validUntil,
    byMail: by_mail,
  });
}

/** Reads answers from disk. Unreadable answers are dropped, because the server has them. */
export function readAnswers(stored: unknown): readonly Answer[] {
  return (Array.isArray(stored) ? stored : [])
    .flatMap((answer) => readAnswer(answer) ?? [])
    .toSorted((a, b) => a.at - b.at);
}

function readAnswer(stored: unknown): Answer | undefined {
  const answer = readShape(answerShape, stored, { at: 0, told: false });
  if (!answer || !isRecord(stored)) return undefined;
  return {
    ...answer,
    ...readPresent(offerShape, stored),
    price: readPrice(stored['price']),
    validUntil: part(lastDay, stored['validUntil']),
  };
}
