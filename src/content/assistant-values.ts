import type { Bilingual } from './bilingual.ts';
import { joined, sentence } from './sentences.ts';

/**
 * Texts about values that the visitor did not type: they come from the voice assistant, from the browser's AI agent, or
 * from a text that another app shared.
 */
export const assistantValues = {
  wrote: (fields: readonly Bilingual[]): Bilingual =>
    sentence<[fields: Bilingual]>(
      (names) => `Datos por confirmar: ${names}. Revíselos antes de enviar.`,
      (names) => `To be confirmed: ${names}. Check before you send.`,
    )(joined(fields, ', ')),
  mark: { es: 'Por confirmar', en: 'To be confirmed' },
  right: { es: 'Está bien', en: 'It is right' },
  allRight: { es: 'Todo está bien', en: 'All of it is right' },
  undo: { es: 'Deshacer', en: 'Undo' },
} as const;

/** Text that tells a browser's AI agent what the form does. */
export const agentTool = {
  description: {
    es: 'Llena la solicitud de cotización de carga aérea de México a Zhengzhou. La persona la revisa y la envía.',
    en: 'Fills in the quote request for air cargo from Mexico to Zhengzhou. The person checks and sends it.',
  },
} as const;
