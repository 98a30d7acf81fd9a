import { randomUUID } from 'node:crypto';
import { fields, REQUIRED, SAMPLES, type Field } from '../../src/lead/fields.ts';

export interface SampleQuote {
  readonly id: string;
  readonly nombre: string;
  readonly empresa: string;
  readonly email: string;
  readonly telefono: string;
  readonly peso: number;
  readonly tipo_carga: string;
}

/** Path to which phones send quotes. */
export const INSERT = '/rest/v1/quotes?on_conflict=id';

/** Returns the request of a phone for a quote, which is stored once even if sent several times. */
export const asInsert = (quote: object, headers: Readonly<Record<string, string>> = {}) => ({
  method: 'POST',
  headers: {
    apikey: 'aeropuente-public',
    'content-type': 'application/json',
    prefer: 'resolution=ignore-duplicates,return=representation',
    ...headers,
  },
  body: JSON.stringify(quote),
});

/** Returns a new quote with the changes that a test needs. */
export function sampleQuote<Changes extends object>(changes?: Changes): SampleQuote & Changes {
  const id = randomUUID();
  const valueOf = (field: Field) => (fields[field].most ? Number(SAMPLES[field]) : SAMPLES[field]);
  const values = Object.fromEntries(REQUIRED.map((field) => [field, valueOf(field)]));
  return { ...values, id, email: `maria.${id.slice(0, 8)}@berries.mx`, ...changes } as unknown as SampleQuote & Changes;
}
