import * as z from 'zod/mini';
import { ANSWER_KINDS } from './offer.ts';
import { isRecord, oneOf, readValidParts, readShape, type Valid } from './validation.ts';

/** `id`: id of the answer; a repeated request therefore stores nothing twice. */
const required = { by: z.string().check(z.minLength(1)), id: z.string().check(z.minLength(1)) };
const optional = {
  body: z.string(),
  price: z.string(),
  per: z.string(),
  kind: oneOf(ANSWER_KINDS),
  kilos: z.string(),
  currency: z.string(),
  validUntil: z.string(),
  note: z.string(),
  noteId: z.string(),
  waiting: z.boolean(),
  /** Time by this computer's clock until which sending can be undone; 0 once sending has begun. */
  heldUntil: z.number(),
};

/** Unsent answer to one quote. Survives a lost session in the colleague's tab. */
export type AnswerDraft = Valid<typeof required> & {
  readonly [Name in keyof typeof optional]?: Valid<typeof optional>[Name] | undefined;
};

export function readAnswerDraft(stored: unknown): AnswerDraft | undefined {
  const draft = readShape(required, stored);
  return draft && isRecord(stored) ? { ...draft, ...readValidParts(optional, stored) } : undefined;
}
