import type { Bilingual } from './bilingual.ts';
import { sentence } from './sentences.ts';

/** Words of the conversation with the sales team, on the phone. */
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
  reemplazada: { es: 'hay otra más nueva', en: 'there is a newer one' },
  retirada: (why = ''): Bilingual => ({ es: `retirada: ${why}`, en: `withdrawn: ${why}` }),
  currencies: { USD: 'US $', MXN: 'MX $', CNY: 'CN ¥' },
  per: {
    kilo: (price: string): Bilingual => ({ es: `${price} por kilo`, en: `${price} per kilo` }),
    total: (price: string): Bilingual => ({ es: `${price} en total`, en: `${price} in all` }),
  },
  /** Price with the kilos that it covers. */
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
      ? { es: `Ya hay respuesta a su cotización ${folios[0]}.`, en: `Your quote ${folios[0]} has an answer.` }
      : {
          es: `Ya hay respuesta a ${folios.length} cotizaciones: ${folios.join(', ')}.`,
          en: `${folios.length} quotes have an answer: ${folios.join(', ')}.`,
        },
  look: { es: 'Ver', en: 'See' },

  offer: { es: 'Oferta', en: 'Offer' },
  by: { kilo: { es: 'por kilo', en: 'per kilo' }, total: { es: 'en total', en: 'in all' } },
  /** Offer card: total of a price by the kilo, and days left. */
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
  /** After a binding acceptance. */
  done: sentence<[price: Bilingual]>(
    (price) => `¡Listo! Aceptó ${price}.`,
    (price) => `Done! You accepted ${price}.`,
  ),
  acceptanceSaved: {
    es: 'Aceptó la oferta. Está guardada en este teléfono y se envía en cuanto haya señal.',
    en: 'You accepted the offer. It is kept on this phone and is sent as soon as there is signal.',
  },
  weConfirm: (time: string): Bilingual => ({
    es: `Confirmamos su espacio antes de las ${time} (Tijuana).`,
    en: `We confirm your space before ${time} (Tijuana).`,
  }),
  booked: { es: 'Su espacio está reservado.', en: 'Your space is booked.' },
  track: {
    label: { es: 'Cómo va', en: 'Where it stands' },
    asked: { es: 'Pedida', en: 'Asked for' },
    answered: { es: 'Respondida', en: 'Answered' },
    accepted: { es: 'Aceptada', en: 'Accepted' },
    booked: { es: 'Reservada', en: 'Booked' },
  },
  airReference: { es: 'Guía o referencia', en: 'Waybill or reference' },
  whatsNext: { es: 'Qué sigue', en: 'What comes next' },
  copied: { es: 'Referencia copiada.', en: 'Reference copied.' },

  accept: { es: 'Aceptar', en: 'Accept' },
  confirm: sentence<[what: Bilingual]>(
    (what) => `¿Aceptar ${what}?`,
    (what) => `Accept ${what}?`,
  ),
  thisAnswer: { es: 'esta respuesta', en: 'this answer' },
  yes: { es: 'Sí, aceptar', en: 'Yes, accept' },
  no: { es: 'Todavía no', en: 'Not yet' },
  ask: { es: 'Preguntar', en: 'Ask' },
  reply: { es: 'Contestar', en: 'Reply' },
  yourReply: { es: 'Su respuesta', en: 'Your reply' },
  sendReply: { es: 'Enviar respuesta', en: 'Send reply' },
  question: { es: 'Su pregunta', en: 'Your question' },
  send: { es: 'Enviar pregunta', en: 'Send question' },
  cancel: { es: 'Cancelar', en: 'Cancel' },
  notKept: (phone: string): Bilingual => ({
    es: `No se pudo guardar en este teléfono. Intente de nuevo o llame al ${phone}.`,
    en: `It could not be kept on this phone. Try again or call ${phone}.`,
  }),

  sent: {
    es: 'Llegó. Este teléfono está lleno: no guarda constancia de ello.',
    en: 'It arrived. This phone is full: it keeps no record of it.',
  },

  accepted: { es: 'Aceptada', en: 'Accepted' },
  acceptedElsewhere: { es: 'aceptada en otro teléfono', en: 'accepted on another phone' },
  asked: { es: 'Pregunta', en: 'Question' },
  replied: { es: 'Contestada', en: 'Replied' },
  /** Outcomes of an accepted offer. */
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
    reemplazada: { es: 'Ya había una oferta más nueva que ésa', en: 'There was a newer offer than that one' },
    retirada: { es: 'Esa oferta ya se había retirado', en: 'That offer had been withdrawn' },
    sinoferta: {
      es: 'Su aceptación llegó, pero esa oferta se perdió en nuestro sistema: el equipo se la confirma',
      en: 'Your acceptance arrived, but our system has lost that offer: the team will confirm it',
    },
  },
  weAnswer: (time: string): Bilingual => ({
    es: `le respondemos antes de las ${time} (Tijuana)`,
    en: `we answer before ${time} (Tijuana)`,
  }),
  waiting: {
    es: 'guardada en este teléfono; se envía sola en cuanto haya señal',
    en: 'kept on this phone; it is sent by itself as soon as there is signal',
  },
  delivered: sentence<[at: Bilingual]>(
    (at) => `entregada ${at}`,
    (at) => `delivered ${at}`,
  ),
  replyBy: (time: string): Bilingual => ({
    es: `respuesta antes de las ${time} (Tijuana)`,
    en: `answer before ${time} (Tijuana)`,
  }),
  refused: (folio: string, phone: string): Bilingual => ({
    es: `no se pudo entregar: llame al ${phone} y dé su folio ${folio}`,
    en: `could not be delivered: call ${phone} with your reference ${folio}`,
  }),
} as const;
