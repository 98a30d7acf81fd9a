import type { Bilingual } from './bilingual.ts';
import { sentence } from './sentences.ts';

/** Facts that the link above the hero shows after folio and state. */
export const wayBack = {
  sending: { es: 'la estamos entregando', en: 'we are delivering it' },
  waiting: (count: number): Bilingual =>
    count > 1
      ? { es: `${count} en espera: se envían automáticamente`, en: `${count} waiting: they send automatically` }
      : { es: 'se envía automáticamente', en: 'sends automatically' },
  answerBefore: (time: string): Bilingual => ({
    es: `respondemos antes de las ${time}`,
    en: `reply by ${time}`,
  }),
  late: { es: 'el plazo ya pasó: llámenos', en: 'the answer time is over: call us' },
  news: { es: 'respuesta nueva', en: 'new answer' },
  question: { es: 'le hicimos una pregunta', en: 'we asked you a question' },
  accepting: { es: 'su aceptación se envía automáticamente', en: 'your acceptance sends automatically' },
  confirmBefore: (time: string): Bilingual => ({
    es: `confirmamos antes de las ${time}`,
    en: `confirmed by ${time}`,
  }),
  reference: (reference: string): Bilingual => ({ es: `referencia ${reference}`, en: `reference ${reference}` }),
  noSpace: { es: 'no hubo espacio: llámenos', en: 'there was no space: call us' },
  correct: { es: 'corríjala para enviarla', en: 'correct it to send it' },
  offer: sentence<[price: Bilingual]>(
    (price) => `oferta: ${price}`,
    (price) => `offer: ${price}`,
  ),
} as const;
