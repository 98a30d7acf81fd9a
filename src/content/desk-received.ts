import type { ReceivedBy } from '../lead/vocabulary.ts';
import { englishWords, spanishWords, type Bilingual } from './bilingual.ts';

const messages = (count: number, es: string, en: string): Bilingual => ({
  es: count === 1 ? `1 mensaje ${es}` : `${count} mensajes ${es}`,
  en: count === 1 ? `1 message ${en}` : `${count} messages ${en}`,
});

/** Places in which a colleague finds messages and files that the server did not store. */
const places: Readonly<Record<ReceivedBy, Bilingual>> = {
  correo: { es: 'en el buzón', en: 'in the mailbox' },
  whatsapp: { es: 'en WhatsApp', en: 'in WhatsApp' },
};

/** Texts about messages received by mail or WhatsApp, including those not yet assigned to a lead. */
export const deskReceived = {
  channels: {
    correo: { es: 'por correo', en: 'by e-mail' },
    whatsapp: { es: 'por WhatsApp', en: 'by WhatsApp' },
  } satisfies Record<ReceivedBy, Bilingual>,
  from: (sender: string): Bilingual => ({ es: `de ${sender}`, en: `from ${sender}` }),
  unproven: {
    es: 'remitente sin comprobar: puede ser otra persona',
    en: 'sender not proven: it may be somebody else',
  },
  whole: { es: 'Ver el mensaje completo', en: 'Show the whole message' },
  files: (names: string): Bilingual => ({ es: `Adjuntos: ${names}`, en: `Attached: ${names}` }),
  unstored: (count: number, channel: ReceivedBy): Bilingual => ({
    es: `Adjuntos sin guardar (${count}): véalos ${spanishWords(places[channel])}`,
    en: `Attachments not stored (${count}): see them ${englishWords(places[channel])}`,
  }),
  more: (count: number, channel: ReceivedBy): Bilingual =>
    messages(
      count,
      `más de este remitente sólo ${spanishWords(places[channel])}`,
      `more of this sender only ${englishWords(places[channel])}`,
    ),
  waiting: (count: number): Bilingual => messages(count, 'por asignar', 'to be assigned'),
  title: { es: 'Por asignar', en: 'To be assigned' },
  what: {
    es: 'No sabemos con certeza de qué solicitud son. Al asignar uno, entra en su historial y corre el plazo de respuesta.',
    en: 'It is not certain which request they are about. Once assigned, a message joins its history and the answer time runs.',
  },
  none: { es: 'Ningún mensaje espera.', en: 'No message is waiting.' },
  notRead: { es: 'No se pudieron cargar.', en: 'They could not be loaded.' },
  named: { es: 'la menciona', en: 'names it' },
  assign: { es: 'Asignar', en: 'Assign' },
  assignTo: (folio: string): Bilingual => ({ es: `Asignar a ${folio}`, en: `Assign to ${folio}` }),
  folio: { es: 'Otro folio', en: 'Another reference' },
  unknownFolio: { es: 'Ese folio no está en la mesa.', en: 'That reference is not at the desk.' },
  badFolio: {
    es: 'Revise el folio: tiene una letra o cifra distinta.',
    en: 'Check the reference: a character differs.',
  },
  register: { es: 'Registrar como nueva', en: 'Register as new' },
  discard: { es: 'Descartar', en: 'Discard' },
  discarded: { es: 'Descartado.', en: 'Discarded.' },
  undo: { es: 'Deshacer', en: 'Undo' },
  assigned: (folio: string): Bilingual => ({
    es: `El mensaje está en el historial de ${folio}.`,
    en: `The message is in the history of ${folio}.`,
  }),
  handled: { es: 'Alguien más ya lo atendió.', en: 'Somebody else has handled it already.' },
} as const;
