import * as z from 'zod/mini';
import { CHARGED_PER, CHARGES } from './offer-lines.ts';
import { ANSWER_KINDS } from './offer.ts';
import { isRecord, oneOf, readValidParts, readShape, type Valid } from './validation.ts';

/**
 * `by`: colleague who writes. `id`: id of the future answer. It is chosen once for each draft, so that the database
 * stores the answer only once even if it is sent twice.
 */
const required = { by: z.string().check(z.minLength(1)), id: z.string().check(z.minLength(1)) };
const lineShape = {
  kind: oneOf(CHARGES),
  per: oneOf(CHARGED_PER),
  amount: z.string(),
  days: z.string(),
  name: z.string(),
};
/** Charge of an offer, as the colleague types it. */
export type DraftLine = Valid<typeof lineShape>;

const optional = {
  body: z.string(),
  price: z.string(),
  per: z.string(),
  kind: oneOf(ANSWER_KINDS),
  kilos: z.string(),
  currency: z.string(),
  /** Charges whose sum is the price; empty if the colleague types a single price. */
  lines: z.custom<readonly DraftLine[]>(
    (lines) => Array.isArray(lines) && lines.every((line) => readShape(lineShape, line) !== undefined),
  ),
  validUntil: z.string(),
  note: z.string(),
  noteId: z.string(),
  waiting: z.boolean(),
  /** Time of this computer's clock until which the colleague can undo sending; 0 when sending has begun. */
  heldUntil: z.number(),
};

/** Unsent answer to a quote, kept in the colleague's browser tab, even after the session at the desk ends. */
export type AnswerDraft = Valid<typeof required> & {
  readonly [Name in keyof typeof optional]?: Valid<typeof optional>[Name] | undefined;
};

export function readAnswerDraft(stored: unknown): AnswerDraft | undefined {
  const draft = readShape(required, stored);
  return draft && isRecord(stored) ? { ...draft, ...readValidParts(optional, stored) } : undefined;
}
