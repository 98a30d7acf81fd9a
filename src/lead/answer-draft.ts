import * as z from 'zod/mini';
import { ANSWER_KINDS } from './offer.ts';
import { isRecord, oneOf, readPresent, readShape, type Of } from './shape.ts';

/** `id`: of the answer, given once, so that sending it again stores nothing twice. */
const always = { by: z.string().check(z.minLength(1)), id: z.string().check(z.minLength(1)) };
const sometimes = {
  body: z.string(),
  price: z.string(),
  per: z.string(),
  kind: oneOf(ANSWER_KINDS),
  kilos: z.string(),
  currency: z.string(),
  validUntil: z.string(),
  note: z.string(),
  noteId: z.string(),
  /** To be sent as soon as the server can be reached. */
  waiting: z.boolean(),
  /** Until then, by this computer's clock, it can be taken back; 0: that time is over, and it is being sent. */
  heldUntil: z.number(),
};

/**
 * The answer that is being written to one quote. It is in a colleague's tab until it was saved, and a lost session
 * does not end it.
 */
export type Draft = Of<typeof always> & {
  readonly [Name in keyof typeof sometimes]?: Of<typeof sometimes>[Name] | undefined;
};

export function readAnswerDraft(kept: unknown): Draft | undefined {
  const draft = readShape(always, kept);
  return draft && isRecord(kept) ? { ...draft, ...readPresent(sometimes, kept) } : undefined;
}
