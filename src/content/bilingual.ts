export interface Bilingual {
  readonly es: string;
  readonly en: string;
}

/** Spanish text, for controls and labels with room for one language. */
export const mainWords = (text: Bilingual): string => text.es;

/** English text, for a separate attribute or element. */
export const englishWords = (text: Bilingual): string => text.en;

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
