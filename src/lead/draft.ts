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
  /**
   * Id of the delivered quote that this draft corrects. By this id the server sees that the correction comes from the
   * same sender.
   */
  replaced: z.string(),
  llamada: z.boolean(),
  promociones: z.boolean(),
  /**
   * `embarque`: kilos of one shipment. `made`: monthly weight computed from `embarque`. Both are discarded if the
   * visitor then changes the weight.
   */
  embarque: z.number(),
  made: z.string(),
};

export type Draft = Valid<typeof required> & Partial<Valid<typeof optional>> & { readonly values: FieldTexts };

/** Reads a draft from disk. If an older release wrote it, fields added since are empty. */
export function readDraft(stored: unknown): Draft | undefined {
  const draft = readShape(required, stored, { id: newId() });
  if (!draft || !isRecord(stored)) return undefined;
  const texts = readShape(values, stored['values'], emptyTexts()) ?? emptyTexts();
  return { ...draft, ...readValidParts(optional, stored), values: texts };
}
