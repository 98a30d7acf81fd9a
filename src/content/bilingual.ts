export interface Bilingual {
  readonly es: string;
  readonly en: string;
}

/** Returns the Spanish text. The caller shows the English text after it. */
export const spanishWords = (text: Bilingual): string => text.es;

/** Returns the English text, for an element or attribute that holds only English. */
export const englishWords = (text: Bilingual): string => text.en;

/**
 * Returns the text for a place with room for one language: Spanish, unless the visitor has chosen to read only English.
 */
export const mainWords = ({ es, en }: Bilingual): string => (languageOfRoot() === 'en-MX' ? en : es);

/** Applies `make` to the text in each language. */
export const eachLanguage = ({ es, en }: Bilingual, make: (words: string) => string): Bilingual => ({
  es: make(es),
  en: make(en),
});

/**
 * Returns both languages in one string, for places where no element can mark the English part: options, titles and
 * descriptions of pictures.
 */
export const bothWords = ({ es, en }: Bilingual): string => (es === en ? es : `${es} · ${en}`);

/**
 * Language that the page shows alone. It is the `lang` of the root element and the name of a style sheet in public/.
 */
export type OnlyLanguage = 'es' | 'en-MX';

/**
 * Returns the only language that the page shows. Undefined if the page shows both, and in the worker and on the server,
 * which have no page.
 */
export function onlyLanguage(): OnlyLanguage | undefined {
  const language = languageOfRoot();
  return language === 'es-MX' ? undefined : language;
}

const languageOfRoot = () =>
  (globalThis as { document?: { documentElement: { lang: string } } }).document?.documentElement.lang as
    | OnlyLanguage
    | 'es-MX'
    | undefined;
