import type { Bilingual } from './bilingual.ts';

/** What a call with the assistant left in the form. */
export const heardWords = {
  wrote: (fields: readonly Bilingual[]): Bilingual => ({
    es: `El asistente escribió: ${fields.map(({ es }) => es).join(', ')}. Revíselo antes de enviar.`,
    en: `The assistant wrote: ${fields.map(({ en }) => en).join(', ')}. Check it before you send.`,
  }),
  mark: { es: 'Lo escribió el asistente', en: 'Written by the assistant' },
  right: { es: 'Está bien', en: 'It is right' },
  allRight: { es: 'Todo está bien', en: 'All of it is right' },
  undo: { es: 'Deshacer', en: 'Undo' },
} as const;
