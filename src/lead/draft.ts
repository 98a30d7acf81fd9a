import * as z from 'zod/mini';
import { byField, type Written } from './fields.ts';
import { newId, quoteId } from './quote.ts';
import { isRecord, moment, readPresent, readShape, type Of } from './shape.ts';

const values: Readonly<Record<keyof Written, z.ZodMiniString>> = byField(() => z.string());
export const emptyValues = (): Written => byField(() => '');

const always = { id: quoteId, savedAt: moment };
const sometimes = {
  /** The draft corrects a quote that this phone already keeps. */
  corrects: z.boolean(),
  /** The folio of a delivered quote that the draft corrects: its own quote is a new one. */
  reemplaza: z.string(),
  /** And its id, by which the server knows that both are of one sender. */
  replaced: z.string(),
  /** Its sender asked to be called, or ticked the box. */
  llamada: z.boolean(),
  promociones: z.boolean(),
  /** The kilos of one shipment, and the weight that was made of it: who writes another means something else. */
  embarque: z.number(),
  made: z.string(),
};

/** The quote that is being written. Its id is the quote's, minted when the draft begins. */
export type Draft = Of<typeof always> & Partial<Of<typeof sometimes>> & { readonly values: Written };

/** A draft on disk. One that an older release left has no value for a field that came later. */
export function readDraft(kept: unknown): Draft | undefined {
  const draft = readShape(always, kept, { id: newId() });
  if (!draft || !isRecord(kept)) return undefined;
  const written = readShape(values, kept['values'], emptyValues()) ?? emptyValues();
  return { ...draft, ...readPresent(sometimes, kept), values: written };
}
