import * as z from 'zod/mini';
import { ANSWER_KINDS, PHONE_OFFER_STATES, lastDay, readPrice, type Price } from './offer.ts';
import { isRecord, timestamp, oneOf, readValue, readValidParts, readShape, type Valid } from './validation.ts';

const answerShape = {
  id: z.string(),
  at: timestamp,
  body: z.string(),
  announced: z.boolean(),
};

const offerShape = {
  kind: oneOf(ANSWER_KINDS),
  /** Kilos to which the price applies: kilos a month if the price is per kilo, otherwise the kilos of the shipment. */
  kilos: z.number(),
  state: oneOf(PHONE_OFFER_STATES),
  stateAt: timestamp,
  /** Reason why the offer was withdrawn, or next step after its acceptance. */
  word: z.string(),
  reference: z.string(),
  /** True if the server sends answers to customers by e-mail too. */
  byMail: z.boolean(),
  /** Charges and other parts of an offer. They are validated where they are shown (offer-lines.ts). */
  offer: z.unknown(),
};

export type Answer = Valid<typeof answerShape> & {
  readonly [Name in keyof typeof offerShape]?: Valid<typeof offerShape>[Name] | undefined;
} & {
  readonly price: Price | undefined;
  /** Last day on which the offer is valid, in Tijuana. */
  readonly validUntil: string | undefined;
  /** Shipment of a booked offer. It is validated where it is shown (shipment.ts). */
  readonly track?: unknown;
};

export function answerFromRow(row: unknown): Answer | undefined {
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

/** Reads answers from disk. Unreadable answers are dropped, because they can be fetched from the server again. */
export function readAnswers(stored: unknown): readonly Answer[] {
  return (Array.isArray(stored) ? stored : [])
    .flatMap((answer) => readAnswer(answer) ?? [])
    .toSorted((a, b) => a.at - b.at);
}

function readAnswer(stored: unknown): Answer | undefined {
  const answer = readShape(answerShape, stored, { at: 0, announced: false });
  if (!answer || !isRecord(stored)) return undefined;
  return {
    ...answer,
    ...readValidParts(offerShape, stored),
    price: readPrice(stored['price']),
    validUntil: readValue(lastDay, stored['validUntil']),
    ...(isRecord(stored['track']) && { track: stored['track'] }),
  };
}
