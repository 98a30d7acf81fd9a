import type { Field } from './fields.ts';
import { readFieldText } from './field-text.ts';

/** Pattern of a name: capitalized words of one line, with words such as 'de' or 'del' between them. */
const NAME = String.raw`[\p{Lu}\d][\p{L}\d&'’-]*(?:[^\S\n]+(?:(?:de|del|la|las|los|y)[^\S\n]+){0,2}[\p{Lu}\d][\p{L}\d&'’-]*){0,5}`;

/** Pattern of each field in a written message. */
const FINDERS: Partial<Record<Field, RegExp>> = {
  nombre: new RegExp(String.raw`\b(?:[Ss]oy|[Mm]e llamo|[Mm]i nombre es|[Nn]ombre:)\s+(${NAME})`, 'u'),
  empresa: new RegExp(String.raw`\b(?:[Ee]mpresa|[Cc]ompañía|[Cc]ompany)\s*:?\s+(?:es\s+)?(${NAME})`, 'u'),
  email: /([^\s@<>:;,]+@[^\s@<>:;,]+\.[a-z]{2,})/i,
  // The pattern excludes dates and weights.
  telefono:
    /((?:\+|(?<!\d[-.])\b(?!\d{4}[-.]\d\d?[-.]\d\d?(?![-.]?\d)|\d\d?[-.]\d\d?[-.]\d{4}(?![-.]?\d)))\d[\d\s().-]{7,17}\d)(?!\d|\s*(?:kg|kilo|ton))/i,
  tipo_carga: /\b(general|perecedero|perecedera|especial)/i,
};
const WEIGHT = /(?<![\d.,])(\d{1,3}(?:[ \u00a0]\d{3})+|\d[\d.,]*)\s*(kgs?|kilos?|kilogramos?|toneladas?|tons?|t)\b/i;

/** 'Laura Peña de Langosta Real': a person and a company, at the beginning or after a greeting. */
const PERSON = String.raw`(?!Hola|Buen)[\p{Lu}][\p{L}’'-]+(?:\s+[\p{Lu}][\p{L}’'-]+){0,3}`;
const WHO = new RegExp(String.raw`(?:^|[.,;:\n]\s*)(${PERSON})\s+de\s+(?:la empresa\s+)?(${NAME})`, 'u');

/** Goods that are perishable although the message does not say 'perecedero'. */
const PERISHABLE =
  /\b(langostas?|camar(?:ón|on|ones)|cangrejos?|ostión|ostiones|erizos?|abul(?:ón|on|ones)|at[uú]n(?:es)?|pescados?|mariscos?|fresas?|frambuesas?|moras?|zarzamoras?|arándanos?|aguacates?|mangos?|uvas?|cerezas?|flores?|carnes?|quesos?)\b/iu;

/** Longest text that is searched, in characters: the time grows with the square of the length. */
const LONGEST = 4000;

/** Values found in a message, each valid for its field. */
export function readMessage(message: string): Partial<Record<Field, string>> {
  const text = message.slice(0, LONGEST);
  const found: Partial<Record<Field, string | undefined>> = {};
  for (const [field, finder] of Object.entries(FINDERS) as [Field, RegExp][]) {
    const value = finder
      .exec(text)?.[1]
      ?.trim()
      .replace(/[.,;]$/, '');
    if (value)
      found[field] = field === 'tipo_carga' ? value.toLowerCase().replace(/^perecedera?o?$/, 'perecederos') : value;
  }
  const [, person, company] = WHO.exec(text) ?? [];
  found.nombre ??= person;
  found.empresa ??= company?.replace(/[.,;]$/, '');
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
