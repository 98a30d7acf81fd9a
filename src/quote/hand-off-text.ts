import { mainWords } from '../content/bilingual.ts';
import { quoteForm, type FieldWords } from '../content/quote-form.ts';
import { handOffBeside as beside, handOffLines } from '../content/quote-states.ts';
import { FIELDS, type Field } from './fields.ts';
import { folioOf } from './folio.ts';
import { handOffCode } from './hand-off-code.ts';
import type { Quote } from './quote.ts';

const lines: Partial<Record<Field, (value: string) => string>> = handOffLines;

/** The very same quote as a message that a person sends: with its folio, and a code by which it is stored as what it is. */
export function handOffText(quote: Quote): string {
  const { llamada, promociones, reemplaza } = quote;
  return [
    `Cotización ${folioOf(quote.id)}`,
    ...FIELDS.map((field) => handOffLine(field, String(quote[field]))),
    llamada && beside.llamada,
    promociones && beside.promociones,
    reemplaza && beside.reemplaza(reemplaza),
    beside.code(handOffCode(quote)),
  ]
    .filter(Boolean)
    .join('\n');
}

export function handOffLine(field: Field, value: string): string {
  const { label, choices }: FieldWords = quoteForm.fields[field];
  const choice = choices?.[value];
  return lines[field]?.(value) ?? `${mainWords(label)}: ${choice ? mainWords(choice) : value}`;
}
