import type { WEBHOOK_EVENTS, WEBHOOK_STATES } from '../lead/vocabulary.ts';
import type { Bilingual } from './bilingual.ts';
import { sentence } from './sentences.ts';

/** Texts of the list of webhook deliveries, which only supervisors see. */
export const deskWebhooks = {
  what: {
    es: 'Lo que se envió a otros programas. Reenviar no duplica: quien lo recibe reconoce su número.',
    en: 'Messages sent to other programs. A repeat makes no duplicate: the receiver knows its number.',
  },
  day: { es: 'Día', en: 'Day' },
  show: { es: 'Mostrar', en: 'Show' },
  all: { es: 'Todos', en: 'All' },
  asideOnly: { es: 'Los que no llegaron', en: 'Those that did not arrive' },
  refresh: { es: 'Actualizar', en: 'Refresh' },
  again: { es: 'Reenviar', en: 'Send again' },
  againOne: (event: string, folio: string): Bilingual => ({
    es: `Reenviar: ${event}, ${folio}`,
    en: `Send again: ${event}, ${folio}`,
  }),
  againDay: { es: 'Reenviar los del día', en: 'Send those of the day again' },
  againAside: { es: 'Reenviar los que no llegaron', en: 'Send those that did not arrive again' },
  asked: { es: 'Se enviarán otra vez en unos segundos.', en: 'They will be sent again within seconds.' },
  asking: { es: 'Consultando…', en: 'Reading…' },
  none: { es: 'Ninguno.', en: 'None.' },
  newest: (count: number): Bilingual => ({ es: `Los últimos ${count} del día.`, en: `The last ${count} of the day.` }),
  events: {
    'quote.received': { es: 'Recibida', en: 'Received' },
    'quote.answered': { es: 'Respondida', en: 'Answered' },
    'offer.accepted': { es: 'Oferta aceptada', en: 'Offer accepted' },
    'shipment.booked': { es: 'Reservada', en: 'Booked' },
    'shipment.milestone': { es: 'Paso del embarque', en: 'Milestone' },
    'quote.lost': { es: 'Perdida', en: 'Lost' },
    'quote.erased': { es: 'Borrada', en: 'Erased' },
  } satisfies Record<(typeof WEBHOOK_EVENTS)[number], Bilingual>,
  states: {
    waiting: { es: 'En espera', en: 'Waiting' },
    sending: { es: 'Enviándose', en: 'Being sent' },
    delivered: { es: 'Entregado', en: 'Delivered' },
    aside: { es: 'No llegó', en: 'Did not arrive' },
    erased: { es: 'Solicitud borrada', en: 'Request erased' },
  } satisfies Record<(typeof WEBHOOK_STATES)[number], Bilingual>,
  answer: (status: number, text: string): Bilingual => ({
    es: `Respuesta ${status}${text && `: ${text}`}`,
    en: `Answer ${status}${text && `: ${text}`}`,
  }),
  noAnswer: sentence<[reason: Bilingual]>(
    (reason) => `Sin respuesta: ${reason}`,
    (reason) => `No answer: ${reason}`,
  ),
  attempts: (count: number): Bilingual => ({
    es: count === 1 ? '1 intento' : `${count} intentos`,
    en: count === 1 ? '1 attempt' : `${count} attempts`,
  }),
  next: (time: string): Bilingual => ({ es: `otro a las ${time}`, en: `the next at ${time}` }),
} as const;
