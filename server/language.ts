import { englishWords, mainWords, type Bilingual } from '../src/content/bilingual.ts';

// Without anything of node:, because an Edge Function imports it too.
const { LC_ALL, LC_MESSAGES, LANG } = globalThis.process?.env ?? {};

/** Chooses the language of the terminal: Spanish if its locale is Spanish, otherwise English. */
export const localize: (text: Bilingual) => string = (LC_ALL || LC_MESSAGES || LANG)?.startsWith('es')
  ? mainWords
  : englishWords;

/** Failure whose message the operator reads, in the language of the terminal. */
export class OperatorError extends Error {
  constructor(text: Bilingual, options?: ErrorOptions) {
    super(localize(text), options);
  }
}
