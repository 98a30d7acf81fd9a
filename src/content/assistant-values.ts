import type { Bilingual } from './bilingual.ts';
import { joined, sentence } from './sentences.ts';

/** Words about values that the assistant wrote into the form. */
export const assistantValues = {
  wrote: (fields: readonly Bilingual[]): Bilingual =>
    sentence<[fields: Bilingual]>(
      (names) => `El asistente escribió: ${names}. Revíselo antes de enviar.`,
      (names) => `The assistant wrote: ${names}. Check it before you send.`,
    )(joined(fields, ', ')),
  mark: { es: 'Lo escribió el asistente', en: 'Written by the assistant' },
  right: { es: 'Está bien', en: 'It is right' },
  allRight: { es: 'Todo está bien', en: 'All of it is right' },
  undo: { es: 'Deshacer', en: 'Undo' },
} as const;
