import type { Bilingual } from './bilingual.ts';
import { joined, sentence } from './sentences.ts';
import { claims } from './claims.ts';

/** Names of a quote's states, as the exporter sees them. */
export const states = {
  waiting: { es: 'en espera', en: 'waiting' },
  sending: { es: 'enviando', en: 'sending' },
  delivered: { es: 'entregada', en: 'delivered' },
  answered: { es: 'respondida', en: 'answered' },
  accepted: { es: 'aceptada', en: 'accepted' },
  correction: { es: 'necesita corrección', en: 'needs correction' },
  known: { es: 'duplicada', en: 'duplicate' },
} as const satisfies Record<string, Bilingual>;

export const receipt = {
  title: { es: 'Su solicitud', en: 'Your request' },
  folio: { es: 'Folio', en: 'Reference' },
  perMonth: { es: 'kg por mes', en: 'kg per month' },
  unshown: {
    es: 'Esta página no puede mostrar esta solicitud.',
    en: 'This page cannot show this request.',
  },
  forgotten: { es: 'Datos borrados de este teléfono', en: 'Data deleted from this phone' },
  delivered: sentence<[at: Bilingual, deadline: string]>(
    (at, deadline) => `La recibimos ${at}. Le respondemos antes de las ${deadline} (Tijuana).`,
    (at, deadline) => `We received it ${at}. We answer by ${deadline} (Tijuana).`,
  ),
  received: sentence<[at: Bilingual]>(
    (at) => `La recibimos ${at} (Tijuana).`,
    (at) => `We received it ${at} (Tijuana).`,
  ),
  /**
   * Asks whether an answer has come: if the sales team called or wrote a mail, this phone does not know about it.
   * `hours`: the promised hours.
   */
  late: (hours: number, folio: string, phone: string): Bilingual => ({
    es: `El plazo de ${hours} h ya pasó. ¿Aún sin respuesta? Llame al ${phone} y dé su folio ${folio}.`,
    en: `The ${hours} h answer time is over. No answer yet? Call ${phone} with your reference ${folio}.`,
  }),
  /** Shown if the server was restored from a backup and has lost the quote. */
  sendsAgain: sentence<[first: Bilingual]>(
    (first) => `La recibimos ${first} (Tijuana), pero nuestro sistema perdió datos: este teléfono la envía otra vez.`,
    (first) => `We received it ${first} (Tijuana), but our system lost data: this phone sends it again.`,
  ),
  sentAgain: sentence<[at: Bilingual]>(
    (at) => `Nuestro sistema perdió datos; este teléfono la envió otra vez ${at}.`,
    (at) => `Our system lost data; this phone sent it again ${at}.`,
  ),
  correct: { es: 'Corregir', en: 'Correct' },
  replacedBy: (folio: string): Bilingual => ({ es: `Reemplazada por ${folio}`, en: `Replaced by ${folio}` }),
  replaces: (folio: string): Bilingual => ({ es: `Reemplaza a ${folio}`, en: `Replaces ${folio}` }),
  sameAs: (folio: string): Bilingual => ({ es: `Repite ${folio}`, en: `Repeats ${folio}` }),
  sending: { es: 'La estamos entregando.', en: 'We are delivering it.' },
  summary: { es: 'Datos de la solicitud', en: 'Request details' },
  additions: { es: 'Detalles y fotos', en: 'Details and photos' },
  papers: { es: 'Documentos del embarque', en: 'Shipment papers' },
  conversation: { es: 'Conversación', en: 'Conversation' },
  more: { es: 'Más', en: 'More' },
  waiting: {
    none: {
      es: 'Guardada en este teléfono; se envía en un momento.',
      en: 'Saved on this phone; it sends in a moment.',
    },
    unreachable: {
      es: 'Guardada en este teléfono. El servidor no respondió.',
      en: 'Saved on this phone. The server did not answer.',
    },
    'retry-after': {
      es: 'Guardada en este teléfono. Nuestro sistema está ocupado.',
      en: 'Saved on this phone. Our system is busy.',
    },
    'access-denied': {
      es: 'Guardada en este teléfono. El problema es de nuestro sistema, no suyo.',
      en: 'Saved on this phone. The problem is in our system, not yours.',
    },
  },
  offline: {
    es: 'Guardada en este teléfono. Está sin conexión: se enviará automáticamente en cuanto haya señal.',
    en: 'Saved on this phone. You are offline: it sends automatically as soon as there is signal.',
  },
  /**
   * Warning for browsers that send nothing while the page is closed. The promised answer time starts only when the
   * quote is delivered, so the exporter should open the page by tomorrow.
   */
  onlyOpen: {
    es: 'Este navegador no envía con la página cerrada. Si la cierra, abra esta página de nuevo con señal, a más tardar mañana.',
    en: 'This browser sends nothing while the page is closed. If you close this page, open it again with signal, by tomorrow at the latest.',
  },
  nextTrySoon: { es: 'Volvemos a intentar en menos de un minuto.', en: 'We try again in less than a minute.' },
  nextTryAt: (at: string): Bilingual => ({ es: `Volvemos a intentar a las ${at}.`, en: `We try again at ${at}.` }),
  clock: {
    es: `El plazo de ${claims.response} empieza cuando se entrega.`,
    en: `The ${claims.response} answer time starts on delivery.`,
  },
} as const;

export const days = {
  hour: (time: string): Bilingual => ({ es: `a las ${time}`, en: `at ${time}` }),
  today: (time: string): Bilingual => ({ es: `hoy a las ${time}`, en: `today at ${time}` }),
  yesterday: (time: string): Bilingual => ({ es: `ayer a las ${time}`, en: `yesterday at ${time}` }),
  other: sentence<[day: Bilingual, time: string]>(
    (day, time) => `el ${day} a las ${time}`,
    (day, time) => `on ${day} at ${time}`,
  ),
} as const;

export const handOff = {
  title: {
    es: '¿Le urge? Envíela por otro medio, con su folio',
    en: 'Urgent? Send it another way, with its reference',
  },
  byWhatsApp: { es: 'Enviarla por WhatsApp', en: 'Send it by WhatsApp' },
  whatsapp: { es: 'WhatsApp', en: 'WhatsApp' },
  sms: { es: 'SMS', en: 'SMS' },
  mail: { es: 'Correo', en: 'E-mail' },
  share: { es: 'Compartir', en: 'Share' },
  copy: { es: 'Copiar', en: 'Copy' },
  copied: { es: 'Copiada. Péguela en cualquier mensaje.', en: 'Copied. Paste it into any message.' },
} as const satisfies Record<string, Bilingual>;

/** Lines of the message for WhatsApp, SMS or mail whose text differs from 'label: value'. */
export const handOffLines = { peso: (kilos: string) => `Peso: ${kilos} kg por mes` };

/**
 * Last lines of the message for WhatsApp, SMS or mail. The code in the message makes the desk store the quote under the
 * same id.
 */
export const handOffBeside = {
  llamada: 'Pide que le llamen',
  promociones: 'Quiere promociones',
  reemplaza: (folio: string) => `Reemplaza a ${folio}`,
  igual: (folio: string) => `Repite ${folio}`,
  code: (code: string) => `Código: ${code}`,
};

export const tray = {
  title: { es: 'Mis cotizaciones', en: 'My quotes' },
  close: { es: 'Cerrar', en: 'Close' },
  empty: { es: 'No hay cotizaciones en este teléfono.', en: 'There are no quotes on this phone.' },
  sendNow: { es: 'Enviar ahora', en: 'Send now' },
  /** Shown if 'Enviar ahora' could not deliver anything. */
  tried: (where: readonly Bilingual[]): Bilingual =>
    joined([{ es: 'Acabamos de intentarlo.', en: 'We tried just now.' }, ...where], ' '),
  restWaits: {
    es: 'Lo pendiente sigue guardado en este teléfono y se enviará automáticamente.',
    en: 'What is pending is still saved on this phone and sends automatically.',
  },
  remove: { es: 'Borrar', en: 'Delete' },
  removed: { es: 'Solicitud borrada.', en: 'Request deleted.' },
  notRemoved: { es: 'Se está enviando; espere un momento.', en: 'It is being sent; wait a moment.' },
  undo: { es: 'Deshacer', en: 'Undo' },
  notUndone: { es: 'No se pudo deshacer; inténtelo de nuevo.', en: 'It could not be undone; try again.' },
  notify: { es: 'Avisarme cuando se entregue', en: 'Alert me when it is delivered' },
} as const;

export const myData = {
  title: { es: 'Mis datos en este teléfono', en: 'My data on this phone' },
  what: {
    es: 'Guardamos lo que escribió en cada solicitud para poder entregarla; a los 30 días de la entrega sólo quedan folio y fecha. Un borrador dura 7 días. Lo pendiente nunca se borra automáticamente.',
    en: 'We store what you wrote in each request so that it can be delivered; 30 days after delivery only reference and date remain. A draft lasts 7 days. Anything still waiting is never deleted automatically.',
  },
  shared: {
    es: 'Teléfono compartido: no guardar nada después de entregar',
    en: 'Shared phone: store nothing after delivery',
  },
  notChanged: { es: 'No se pudo cambiar; inténtelo de nuevo.', en: 'It could not be changed; try again.' },
  erase: { es: 'Borrar todo', en: 'Delete everything' },
  confirm: (waiting: number): Bilingual =>
    waiting > 0
      ? {
          es: `¿Borrar todo? ${waiting} sin entregar no ${waiting === 1 ? 'llegará' : 'llegarán'}.`,
          en: `Delete everything? ${waiting} undelivered will not arrive.`,
        }
      : { es: '¿Borrar todo?', en: 'Delete everything?' },
  yes: { es: 'Sí, borrar', en: 'Yes, delete' },
  no: { es: 'No, conservar', en: 'No, keep it' },
  notErased: {
    es: 'No se pudo borrar todo; inténtelo de nuevo.',
    en: 'Not everything could be deleted; try again.',
  },
  erased: { es: 'Ya no hay datos suyos en este teléfono.', en: 'None of your data is left on this phone.' },
} as const;
