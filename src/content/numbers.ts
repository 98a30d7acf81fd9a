import type { Bilingual } from './bilingual.ts';

const WORDS = {
  es: ['cero', 'uno', 'dos', 'tres', 'cuatro', 'cinco', 'seis', 'siete', 'ocho', 'nueve', 'diez', 'once', 'doce'],
  en: ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'],
} as const;

/** A count in words, from thirteen on in digits. */
export const spelled = (count: number): Bilingual => ({
  es: WORDS.es[count] ?? String(count),
  en: WORDS.en[count] ?? String(count),
});

/** Names in a row: 'Tijuana, AIFA y Cancún'. */
export const listed = (names: readonly string[]): Bilingual => ({
  es: new Intl.ListFormat('es-MX').format(names),
  en: new Intl.ListFormat('en-GB').format(names),
});
