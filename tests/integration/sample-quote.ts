import { randomUUID } from 'node:crypto';
import { byField, fields } from '../../src/lead/fields.ts';
import { rowOf, type Quote } from '../../src/lead/quote.ts';

export interface SampleQuote {
  readonly id: string;
  readonly nombre: string;
  readonly empresa: string;
  readonly email: string;
  readonly telefono: string;
  readonly peso: number;
  readonly tipo_carga: string;
}

/** Where phones store a quote. */
export const INSERT = '/rest/v1/quotes?on_conflict=id';

/** As phones do: stored once, however often it is sent. */
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

/** A quote nobody has sent before, with what the test needs to be different. */
export function sampleQuote<Changes extends object>(changes?: Changes): SampleQuote & Changes {
  const id = randomUUID();
  const values = byField((field) => (fields[field].most ? Number(fields[field].sample) : fields[field].sample));
  const quote = { ...values, id, email: `maria.${id.slice(0, 8)}@berries.mx` } as unknown as Quote;
  return { ...rowOf(quote), ...changes } as unknown as SampleQuote & Changes;
}
