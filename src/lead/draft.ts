import * as z from 'zod/mini';
import { byField, type FieldTexts } from './fields.ts';
import { newId, quoteId } from './quote.ts';
import { isRecord, timestamp, readValidParts, readShape, type Valid } from './validation.ts';

const values: Readonly<Record<keyof FieldTexts, z.ZodMiniString>> = byField(() => z.string());
export const emptyTexts = (): FieldTexts => byField(() => '');

const required = { id: quoteId, savedAt: timestamp };
const optional = {
  corrects: z.boolean(),
  reemplaza: z.string(),
  /** Id of the delivered quote that is corrected. With this id the server knows that the sender is the same. */
  replaced: z.string(),
  llamada: z.boolean(),
  promociones: z.boolean(),
  /**
   * `embarque`: kilos of one shipment. `made`: monthly weight computed from them. If the visitor edits the weight, both
   * are discarded.
   */
  embarque: z.number(),
  made: z.string(),
};

export type Draft = Valid<typeof required> & Partial<Valid<typeof optional>> & { readonly values: FieldTexts };

/** Reads a draft from disk. In a draft of an older release the values of newer fields are missing. */
export function readDraft(stored: unknown): Draft | undefined {
  const draft = readShape(required, stored, { id: newId() });
  if (!draft || !isRecord(stored)) return undefined;
  const texts = readShape(values, stored['values'], emptyTexts()) ?? emptyTexts();
  return { ...draft, ...readValidParts(optional, stored), values: texts };
}
