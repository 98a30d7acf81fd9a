import { englishWords, mainWords, type Bilingual } from '../src/content/bilingual.ts';

const { LC_ALL, LC_MESSAGES, LANG } = process.env;

/** The words of a command in the language of its terminal: Spanish where that is set, otherwise English. */
export const localize: (text: Bilingual) => string = (LC_ALL || LC_MESSAGES || LANG)?.startsWith('es')
  ? mainWords
  : englishWords;
