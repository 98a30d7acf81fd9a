import { mainWords } from '../content/bilingual.ts';
import { quoteForm, type FieldWords } from '../content/quote-form.ts';
import { handOffLines } from '../content/quote-states.ts';
import { config } from '../config.ts';
import { FIELDS, type Field } from './fields.ts';
import { folioOf } from './folio.ts';
import type { Quote } from './quote.ts';

const lines: Partial<Record<Field, (value: string) => string>> = handOffLines;

/** The very same quote as a message that a person sends, with its folio so that sales can match the two. */
export function handOffText(quote: Quote): string {
  return [`Cotización ${folioOf(quote.id)}`, ...FIELDS.map((field) => line(field, String(quote[field])))].join('\n');
}

function line(field: Field, value: string): string {
  const { label, choices }: FieldWords = quoteForm.fields[field];
  const choice = choices?.[value];
  return lines[field]?.(value) ?? `${mainWords(label)}: ${choice ? mainWords(choice) : value}`;
}

const digits = (phone: string) => phone.replaceAll(/\D/g, '');

export function handOffLinks(quote: Quote): { readonly whatsapp: string; readonly sms: string; readonly mail: string } {
  const text = encodeURIComponent(handOffText(quote));
  const subject = encodeURIComponent(`Cotización ${folioOf(quote.id)}`);
  return {
    whatsapp: `https://wa.me/${digits(config.company.whatsapp)}?text=${text}`,
    // '?&': Android reads what follows '?', iOS what follows '&'.
    sms: `sms:+${digits(config.company.phone)}?&body=${text}`,
    mail: `mailto:${config.company.email}?subject=${subject}&body=${text.replaceAll('%0A', '%0D%0A')}`,
  };
}
