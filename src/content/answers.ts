import type { Bilingual } from './bilingual.ts';
import { sentence } from './sentences.ts';

/** Texts on the phone about the answers of the sales team and the exporter's replies. */
export const answers = {
  at: sentence<[at: Bilingual]>(
    (at) => `Respondida ${at}`,
    (at) => `Answered ${at}`,
  ),
  askedAt: sentence<[at: Bilingual]>(
    (at) => `Le preguntamos ${at}`,
    (at) => `We asked ${at}`,
  ),
  sinoferta: { es: 'por confirmar', en: 'to be confirmed' },
  reemplazada: { es: 'hay una oferta más reciente', en: 'there is a newer offer' },
  retirada: (why = ''): Bilingual => ({ es: `retirada: ${why}`, en: `withdrawn: ${why}` }),
  currencies: { USD: 'US $', MXN: 'MX $', CNY: 'CN ¥' },
  per: {
    kilo: (price: string): Bilingual => ({ es: `${price} por kilo`, en: `${price} per kilo` }),
    total: (price: string): Bilingual => ({ es: `${price} en total`, en: `${price} in total` }),
  },
  /** Price, with the kilos for which it was offered. */
  forKilos: {
    kilo: sentence<[price: Bilingual, kilos: string]>(
      (price, kilos) => `${price}, para ${kilos} kg al mes`,
      (price, kilos) => `${price}, for ${kilos} kg a month`,
    ),
    total: (price: string, kilos: string): Bilingual => ({
      es: `${price} por un embarque de ${kilos} kg`,
      en: `${price} for a shipment of ${kilos} kg`,
    }),
  },
  validUntil: sentence<[day: Bilingual]>(
    (day) => `válida hasta el ${day}`,
    (day) => `valid until ${day}`,
  ),
  expired: sentence<[day: Bilingual]>(
    (day) => `venció el ${day}`,
    (day) => `expired on ${day}`,
  ),
  arrived: (folios: readonly string[]): Bilingual =>
    folios.length === 1
      ? { es: `Ya hay respuesta a su solicitud ${folios[0]}.`, en: `Your request ${folios[0]} has an answer.` }
      : {
          es: `Ya hay respuesta a ${folios.length} solicitudes: ${folios.join(', ')}.`,
          en: `${folios.length} requests have an answer: ${folios.join(', ')}.`,
        },
  look: { es: 'Ver', en: 'See' },

  offer: { es: 'Oferta', en: 'Offer' },
  by: { kilo: { es: 'por kilo', en: 'per kilo' }, total: { es: 'en total', en: 'in total' } },
  /** Total price of one month, shown if the price is per kilo. */
  comesTo: (total: string, kilos: string): Bilingual => ({
    es: `≈ ${total} al mes por ${kilos} kg`,
    en: `≈ ${total} a month for ${kilos} kg`,
  }),
  forShipment: (kilos: string): Bilingual => ({
    es: `por un embarque de ${kilos} kg`,
    en: `for a shipment of ${kilos} kg`,
  }),
  until: sentence<[day: Bilingual]>(
    (day) => `Válida hasta el ${day}`,
    (day) => `Valid until ${day}`,
  ),
  daysLeft: (days: number): Bilingual =>
    days === 0
      ? { es: 'vence hoy', en: 'ends today' }
      : { es: days === 1 ? 'queda 1 día' : `quedan ${days} días`, en: days === 1 ? '1 day left' : `${days} days left` },
  /** Text after a binding acceptance. */
  done: sentence<[price: Bilingual]>(
    (price) => `¡Listo! Aceptó ${price}.`,
    (price) => `Done! You accepted ${price}.`,
  ),
  acceptanceSaved: {
    es: 'Aceptó la oferta. Su aceptación está guardada en este teléfono y se enviará automáticamente en cuanto haya señal.',
    en: 'You accepted the offer. Your acceptance is saved on this phone and sends automatically as soon as there is signal.',
  },
  weConfirm: (time: string): Bilingual => ({
    es: `Confirmamos su espacio antes de las ${time} (Tijuana).`,
    en: `We confirm your space by ${time} (Tijuana).`,
  }),
  booked: { es: 'Su espacio está reservado.', en: 'Your space is booked.' },
  track: {
    label: { es: 'Avance', en: 'Progress' },
    asked: { es: 'Enviada', en: 'Sent' },
    answered: { es: 'Respondida', en: 'Answered' },
    accepted: { es: 'Aceptada', en: 'Accepted' },
    booked: { es: 'Reservada', en: 'Booked' },
  },
  airReference: { es: 'Guía o referencia', en: 'Waybill or reference' },
  whatsNext: { es: 'Próximos pasos', en: 'Next steps' },
  copied: { es: 'Referencia copiada.', en: 'Reference copied.' },

  accept: { es: 'Aceptar', en: 'Accept' },
  /** Button that opens a page with the offer, for printing. `noSheet`: shown if the phone has not stored that page. */
  seeOffer: { es: 'Ver oferta', en: 'See offer' },
  noSheet: {
    es: 'Este teléfono todavía no tiene la hoja de la oferta. Ábrala una vez con señal y quedará guardada.',
    en: 'This phone does not have the page of the offer yet. Open it once with signal and it stays saved.',
  },
  confirm: sentence<[what: Bilingual]>(
    (what) => `¿Aceptar ${what}?`,
    (what) => `Accept ${what}?`,
  ),
  thisAnswer: { es: 'esta respuesta', en: 'this answer' },
  yes: { es: 'Sí, aceptar', en: 'Yes, accept' },
  no: { es: 'Cancelar', en: 'Cancel' },
  ask: { es: 'Preguntar', en: 'Ask' },
  reply: { es: 'Responder', en: 'Reply' },
  yourReply: { es: 'Su respuesta', en: 'Your reply' },
  sendReply: { es: 'Enviar respuesta', en: 'Send reply' },
  question: { es: 'Su pregunta', en: 'Your question' },
  send: { es: 'Enviar pregunta', en: 'Send question' },
  cancel: { es: 'Cancelar', en: 'Cancel' },
  notKept: (phone: string): Bilingual => ({
    es: `No se pudo guardar en este teléfono. Intente de nuevo o llame al ${phone}.`,
    en: `It could not be saved on this phone. Try again or call ${phone}.`,
  }),

  sent: {
    es: 'Se entregó. Este teléfono está lleno y no pudo guardar el comprobante.',
    en: 'It was delivered. This phone is full and could not save a record.',
  },

  accepted: { es: 'Aceptada', en: 'Accepted' },
  acceptedElsewhere: { es: 'aceptada en otro teléfono', en: 'accepted on another phone' },
  asked: { es: 'Pregunta', en: 'Question' },
  replied: { es: 'Su respuesta', en: 'Your reply' },
  /** Results that the sales team reports after an acceptance. */
  outcome: {
    reservada: { es: 'reservada', en: 'booked' },
    sinespacio: { es: 'sin espacio en ese vuelo', en: 'no space on that flight' },
  },
  reference: (reference: string): Bilingual => ({ es: `referencia ${reference}`, en: `reference ${reference}` }),
  /** Reasons why an acceptance is not binding. */
  unbound: {
    vencida: sentence<[day: Bilingual]>(
      (day) => `Esa oferta venció el ${day}`,
      (day) => `That offer expired on ${day}`,
    ),
    reemplazada: { es: 'Ya había una oferta más reciente', en: 'There was a newer offer' },
    retirada: { es: 'Esa oferta ya se había retirado', en: 'That offer had been withdrawn' },
    sinoferta: {
      es: 'Recibimos su aceptación, pero nuestro sistema perdió esa oferta: el equipo de ventas se la confirmará',
      en: 'We received your acceptance, but our system lost that offer: the sales team will confirm it',
    },
  },
  weAnswer: (time: string): Bilingual => ({
    es: `le respondemos antes de las ${time} (Tijuana)`,
    en: `we answer by ${time} (Tijuana)`,
  }),
  waiting: {
    es: 'guardada en este teléfono; se enviará automáticamente en cuanto haya señal',
    en: 'saved on this phone; sends automatically as soon as there is signal',
  },
  delivered: sentence<[at: Bilingual]>(
    (at) => `entregada ${at}`,
    (at) => `delivered ${at}`,
  ),
  replyBy: (time: string): Bilingual => ({
    es: `respuesta antes de las ${time} (Tijuana)`,
    en: `answer by ${time} (Tijuana)`,
  }),
  refused: (folio: string, phone: string): Bilingual => ({
    es: `no se pudo entregar: llame al ${phone} y dé su folio ${folio}`,
    en: `could not be delivered: call ${phone} with your reference ${folio}`,
  }),
} as const;
