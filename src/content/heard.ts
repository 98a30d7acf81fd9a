import type { Bilingual } from './bilingual.ts';
import { joined, sentence } from './sentences.ts';

/** What a call with the assistant left in the form. */
export const heardWords = {
  wrote: (fields: readonly Bilingual[]): Bilingual =>
    sentence<[fields: Bilingual]>(
      (said) => `El asistente escribió: ${said}. Revíselo antes de enviar.`,
      (said) => `The assistant wrote: ${said}. Check it before you send.`,
    )(joined(fields, ', ')),
  mark: { es: 'Lo escribió el asistente', en: 'Written by the assistant' },
  right: { es: 'Está bien', en: 'It is right' },
  allRight: { es: 'Todo está bien', en: 'All of it is right' },
  undo: { es: 'Deshacer', en: 'Undo' },
} as const;
