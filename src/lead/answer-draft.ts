import * as z from 'zod/mini';
import { CHARGED_PER, CHARGES } from './offer-lines.ts';
import { ANSWER_KINDS } from './offer.ts';
import { isRecord, oneOf, readValidParts, readShape, type Valid } from './validation.ts';

/** `id`: id of the answer, fixed in the draft, so that the database stores a repeated request only once. */
const required = { by: z.string().check(z.minLength(1)), id: z.string().check(z.minLength(1)) };
const lineShape = {
  kind: oneOf(CHARGES),
  per: oneOf(CHARGED_PER),
  amount: z.string(),
  days: z.string(),
  name: z.string(),
};
/** Line of an offer as it is typed. */
export type DraftLine = Valid<typeof lineShape>;

const optional = {
  body: z.string(),
  price: z.string(),
  per: z.string(),
  kind: oneOf(ANSWER_KINDS),
  kilos: z.string(),
  currency: z.string(),
  /** Lines whose sum is the price; empty for a single price. */
  lines: z.custom<readonly DraftLine[]>(
    (lines) => Array.isArray(lines) && lines.every((line) => readShape(lineShape, line) !== undefined),
  ),
  validUntil: z.string(),
  note: z.string(),
  noteId: z.string(),
  waiting: z.boolean(),
  /** Time, by this computer's clock, until which the colleague can undo sending; 0 when sending has begun. */
  heldUntil: z.number(),
};

/** Unsent answer to one quote, kept in the colleague's tab. Survives the end of a session. */
export type AnswerDraft = Valid<typeof required> & {
  readonly [Name in keyof typeof optional]?: Valid<typeof optional>[Name] | undefined;
};

export function readAnswerDraft(stored: unknown): AnswerDraft | undefined {
  const draft = readShape(required, stored);
  return draft && isRecord(stored) ? { ...draft, ...readValidParts(optional, stored) } : undefined;
}
