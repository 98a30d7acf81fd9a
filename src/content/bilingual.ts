export interface Bilingual {
  readonly es: string;
  readonly en: string;
}

/** For what a control or a label says, which has room for one language. */
export const mainWords = (text: Bilingual): string => text.es;

/** Where no element can mark the English: in a choice of a list, a title, the description of a picture. */
export const bothWords = ({ es, en }: Bilingual): string => (es === en ? es : `${es} · ${en}`);
