import { mainWords, type Bilingual } from '../../content/bilingual.ts';

/** Returns the name of a code, or the code itself if a newer release has introduced it. */
export const nameOfCode = (names: Readonly<Record<string, Bilingual>>, code: string): string =>
  names[code] ? mainWords(names[code]) : code;
