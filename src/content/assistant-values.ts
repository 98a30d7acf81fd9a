import type { Bilingual } from './bilingual.ts';
import { joined, sentence } from './sentences.ts';

/**
 * Messages about values that nobody typed: filled in by the voice assistant, by the browser's AI agent, or from a text
 * shared to the app.
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

/** Text by which the form describes itself to a browser's AI agent. */
export const agentTool = {
  description: {
    es: 'Llena la solicitud de cotización de carga aérea de México a Zhengzhou. La persona la revisa y la envía.',
    en: 'Fills in the quote request for air cargo from Mexico to Zhengzhou. The person checks and sends it.',
  },
} as const;
