export interface Bilingual {
  readonly es: string;
  readonly en: string;
}

/** For what a control or a label says, which has room for one language. */
export const mainWords = (text: Bilingual): string => text.es;

/** The translation alone, where an attribute or an element of its own holds it. */
export const englishWords = (text: Bilingual): string => text.en;

/** A text made of another, the same way in each language. */
export const eachLanguage = ({ es, en }: Bilingual, make: (words: string) => string): Bilingual => ({
  es: make(es),
  en: make(en),
});

/** Where no element can mark the English: in a choice of a list, a title, the description of a picture. */
export const bothWords = ({ es, en }: Bilingual): string => (es === en ? es : `${es} · ${en}`);
