import * as z from 'zod/mini';
import { byField, type Written } from './fields.ts';
import { newId, quoteId } from './quote.ts';
import { isRecord, moment, readPresent, readShape, type Of } from './shape.ts';

const values: Readonly<Record<keyof Written, z.ZodMiniString>> = byField(() => z.string());
export const emptyValues = (): Written => byField(() => '');

const always = { id: quoteId, savedAt: moment };
const sometimes = {
  corrects: z.boolean(),
  reemplaza: z.string(),
  /** Id of the delivered quote that is corrected, which proves the same sender to the server. */
  replaced: z.string(),
  llamada: z.boolean(),
  promociones: z.boolean(),
  /** Kilos of one shipment, and the monthly weight computed from them: editing the weight discards both. */
  embarque: z.number(),
  made: z.string(),
};

export type Draft = Of<typeof always> & Partial<Of<typeof sometimes>> & { readonly values: Written };

/** Reads a draft from disk. Drafts of an older release lack the values of newer fields. */
export function readDraft(stored: unknown): Draft | undefined {
  const draft = readShape(always, stored, { id: newId() });
  if (!draft || !isRecord(stored)) return undefined;
  const written = readShape(values, stored['values'], emptyValues()) ?? emptyValues();
  return { ...draft, ...readPresent(sometimes, stored), values: written };
}
