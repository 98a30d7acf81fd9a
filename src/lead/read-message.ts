import type { Field } from './fields.ts';
import { readFieldText } from './field-text.ts';

/** Pattern of a name: capitalized words on one line, with words such as 'de' or 'del' between them. */
const nameOf = (word: string) => String.raw`${word}(?:[^\S\n]+(?:(?:de|del|la|las|los|y)[^\S\n]+){0,2}${word}){0,5}`;

/** Pattern for the end of a word in a name. A word before a colon is not part of the name: it labels the next field. */
const WORD_END = String.raw`(?![\p{L}\d]|\s*:)`;
const PERSON_NAME = nameOf(String.raw`\p{Lu}[\p{L}’'-]*${WORD_END}`);
/** Name of a company, which may contain digits and initials such as 'S.A. de C.V.'. */
const COMPANY_NAME = nameOf(String.raw`(?:(?:\p{Lu}\.)+|[\p{Lu}\d][\p{L}\d&'’-]*${WORD_END})`);

/** Pattern that finds each field's value in a message from a customer. */
const FINDERS: Partial<Record<Field, RegExp>> = {
  nombre: new RegExp(
    String.raw`\b(?:[Ss]oy|[Mm]e llamo|[Mm]i nombre es|(?:[Nn]ombre|NOMBRE):)\s+(${PERSON_NAME})`,
    'u',
  ),
  empresa: new RegExp(
    String.raw`\b(?:[Ee]mpresa|EMPRESA|[Cc]ompañía|[Cc]ompany)\s*:?\s+(?:es\s+)?(${COMPANY_NAME})`,
    'u',
  ),
  email: /([^\s@<>:;,]+@[^\s@<>:;,]+\.[a-z]{2,})/i,
  // Dates and weights must not be taken for telephone numbers.
  telefono:
    /((?:\+|\(?(?<!\d[-.])\b(?!\d{4}[-.]\d\d?[-.]\d\d?(?![-.]?\d)|\d\d?[-.]\d\d?[-.]\d{4}(?![-.]?\d)))\d[\d\s().-]{7,17}\d)(?!\d|\s*(?:kg|kilo|ton))/i,
  tipo_carga: /\b(general|perecedero|perecedera|especial)/i,
};
const WEIGHT = /(?<![\d.,])(\d{1,3}(?:[ \u00a0]\d{3})+|\d[\d.,]*)\s*(kgs?|kilos?|kilogramos?|toneladas?|tons?|t)\b/i;

/** Pattern for a person and a company, such as 'Laura Peña de Langosta Real', at the beginning or after a greeting. */
const PERSON = String.raw`(?!Hola|Buen)[\p{Lu}][\p{L}’'-]+(?:\s+[\p{Lu}][\p{L}’'-]+){0,3}`;
const WHO = new RegExp(String.raw`(?:^|[.,;:\n]\s*)(${PERSON})\s+de\s+(?:la empresa\s+)?(${COMPANY_NAME})`, 'u');

/** Goods that are perishable even if the message does not say 'perecedero'. */
const PERISHABLE =
  /\b(langostas?|camar(?:ón|on|ones)|cangrejos?|ostión|ostiones|erizos?|abul(?:ón|on|ones)|at[uú]n(?:es)?|pescados?|mariscos?|fresas?|frambuesas?|moras?|zarzamoras?|arándanos?|aguacates?|mangos?|uvas?|cerezas?|flores?|carnes?|quesos?)\b/iu;

/** Number of characters that are searched. The search takes time that grows with the square of the text's length. */
const LONGEST = 4000;

/** Finds the form's values in a customer's message. Only values that are valid for their field are returned. */
export function readMessage(message: string): Partial<Record<Field, string>> {
  const text = message.slice(0, LONGEST);
  const found: Partial<Record<Field, string | undefined>> = {};
  for (const [field, finder] of Object.entries(FINDERS) as [Field, RegExp][]) {
    const value = finder.exec(text)?.[1];
    if (value)
      found[field] = field === 'tipo_carga' ? value.toLowerCase().replace(/^perecedera?o?$/, 'perecederos') : value;
  }
  const [, person, company] = WHO.exec(text) ?? [];
  found.nombre ??= person;
  found.empresa ??= company;
  if (!found.tipo_carga && PERISHABLE.test(text)) found.tipo_carga = 'perecederos';
  const [, amount = '', unit = ''] = WEIGHT.exec(text) ?? [];
  const isTons = /^t/i.test(unit) && /^\d+([.,]\d{1,2})?$/.test(amount);
  found.peso = isTons ? String(Math.round(Number(amount.replace(',', '.')) * 1000)) : `${amount} ${unit}`;
  return Object.fromEntries(
    (Object.entries(found) as [Field, string | undefined][]).filter(
      ([field, value]) => value !== undefined && 'value' in readFieldText(field, value),
    ),
  );
}
