import type { Bilingual } from './bilingual.ts';

type Part = Bilingual | string | number;

/**
 * Returns a function that builds a sentence in both languages. `es` and `en` write the sentence of
 * each language, from values in the same language.
 */
export const sentence =
  <Parts extends readonly Part[]>(
    es: (...parts: { [At in keyof Parts]: string }) => string,
    en: (...parts: { [At in keyof Parts]: string }) => string,
  ) =>
  (...parts: Parts): Bilingual => ({ es: es(...wordsIn('es', parts)), en: en(...wordsIn('en', parts)) });

const wordsIn = <Parts extends readonly Part[]>(language: keyof Bilingual, parts: Parts) =>
  parts.map((part) => (typeof part === 'object' ? part[language] : String(part))) as { [At in keyof Parts]: string };

/** Joins texts and leaves out those that are missing. */
export function joined(parts: readonly (Bilingual | false | '' | undefined)[], between: string): Bilingual {
  const present = parts.filter((part) => typeof part === 'object');
  const all = (language: keyof Bilingual) => present.flatMap((part) => part[language] || []).join(between);
  return { es: all('es'), en: all('en') };
}
