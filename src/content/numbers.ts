import type { Bilingual } from './bilingual.ts';

const SPANISH = [
  'cero',
  'uno',
  'dos',
  'tres',
  'cuatro',
  'cinco',
  'seis',
  'siete',
  'ocho',
  'nueve',
  'diez',
  'once',
  'doce',
];
const ENGLISH = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];

/** Writes a number as a word; numbers above twelve in digits. */
export const spelled = (count: number): Bilingual => ({
  es: SPANISH[count] ?? String(count),
  en: ENGLISH[count] ?? String(count),
});

/** Joins names to a list: 'Tijuana, AIFA y Cancún'. */
export const listed = (names: readonly string[]): Bilingual => ({
  es: new Intl.ListFormat('es-MX').format(names),
  en: new Intl.ListFormat('en-GB').format(names),
});
