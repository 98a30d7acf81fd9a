import { englishWords, mainWords, type Bilingual } from '../src/content/bilingual.ts';

// This file imports no module of node:, because an Edge Function imports it too.
const { LC_ALL, LC_MESSAGES, LANG } = globalThis.process?.env ?? {};

export const localize: (text: Bilingual) => string = (LC_ALL || LC_MESSAGES || LANG)?.startsWith('es')
  ? mainWords
  : englishWords;

export class OperatorError extends Error {
  constructor(text: Bilingual, options?: ErrorOptions) {
    super(localize(text), options);
  }
}
