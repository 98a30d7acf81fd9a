export interface Bilingual {
  readonly es: string;
  readonly en: string;
}

/** Spanish text, for an element that shows it before the English. */
export const spanishWords = (text: Bilingual): string => text.es;

/** English text, for a separate attribute or element. */
export const englishWords = (text: Bilingual): string => text.en;

/** Text for controls and labels with room for one language: Spanish, unless the visitor reads English alone. */
export const mainWords = ({ es, en }: Bilingual): string => (languageOfRoot() === 'en-MX' ? en : es);

/** Builds a text in both languages from another text. */
export const eachLanguage = ({ es, en }: Bilingual, make: (words: string) => string): Bilingual => ({
  es: make(es),
  en: make(en),
});

/**
 * Both languages in one string, for places where no element can mark the English: options, titles, picture
 * descriptions.
 */
export const bothWords = ({ es, en }: Bilingual): string => (es === en ? es : `${es} · ${en}`);

/** Language that the page shows alone: `lang` of the root, and name of a style sheet in public/. */
export type OnlyLanguage = 'es' | 'en-MX';

/** The language, if the page shows a single one. Undefined if it shows both, and in the worker and on the server. */
export function onlyLanguage(): OnlyLanguage | undefined {
  const language = languageOfRoot();
  return language === 'es-MX' ? undefined : language;
}

const languageOfRoot = () =>
  (globalThis as { document?: { documentElement: { lang: string } } }).document?.documentElement.lang as
    | OnlyLanguage
    | 'es-MX'
    | undefined;
