export interface Bilingual {
  readonly es: string;
  readonly en: string;
}

/** For what a control or a label says, which has room for one language. */
export const mainWords = (text: Bilingual): string => text.es;
