import { answers } from './answers.ts';
import type { Bilingual } from './bilingual.ts';
import { sentence } from './sentences.ts';

/** Line in our mails above which a customer writes the reply. The server cuts the reply at this line. */
export const replyMarker = {
  es: '— Responda arriba de esta línea —',
  en: '— Reply above this line —',
} as const satisfies Bilingual;

export const customerMail = {
  subject: (folio: string, company: string): Bilingual => ({
    es: `Su solicitud ${folio} · ${company}`,
    en: `Your request ${folio} · ${company}`,
  }),
  greeting: (name: string): Bilingual => ({ es: `Buen día, ${name}:`, en: `Hello ${name},` }),
  /** First sentence of the mail, for each kind of answer and each result of an acceptance. */
  oferta: (folio: string): Bilingual => ({
    es: `Ésta es nuestra oferta para su solicitud ${folio}.`,
    en: `This is our offer for your request ${folio}.`,
  }),
  pregunta: (folio: string): Bilingual => ({
    es: `Tenemos una pregunta sobre su solicitud ${folio}.`,
    en: `We have a question about your request ${folio}.`,
  }),
  mensaje: (folio: string): Bilingual => ({
    es: `Le escribimos por su solicitud ${folio}.`,
    en: `A message about your request ${folio}.`,
  }),
  retirada: (folio: string): Bilingual => ({
    es: `Retiramos nuestra oferta para la solicitud ${folio}.`,
    en: `We have withdrawn our offer for request ${folio}.`,
  }),
  reservada: (folio: string): Bilingual => ({
    es: `Su espacio está reservado. Solicitud ${folio}.`,
    en: `Your space is booked. Request ${folio}.`,
  }),
  sinespacio: (folio: string): Bilingual => ({
    es: `No hubo espacio en ese vuelo para su solicitud ${folio}.`,
    en: `There was no space on that flight for your request ${folio}.`,
  }),
  paso: (folio: string): Bilingual => ({
    es: `Hay novedades de su embarque. Solicitud ${folio}.`,
    en: `There is news of your shipment. Request ${folio}.`,
  }),
  corrected: sentence<[step: Bilingual]>(
    (step) => `Corrección: «${step}» se anuló; estaba mal registrado.`,
    (step) => `Correction: “${step}” was taken back, because it was recorded by mistake.`,
  ),
  papeles: (folio: string): Bilingual => ({
    es: `Revise los documentos de su embarque: el cierre está cerca. Solicitud ${folio}.`,
    en: `Check the papers of your shipment: the cut-off is near. Request ${folio}.`,
  }),
  reference: sentence<[reference: string]>(
    (reference) => `Guía o referencia: ${reference}`,
    (reference) => `Waybill or reference: ${reference}`,
  ),
  validUntil: answers.until,
  /** Sentence before the link to the quote, for each kind of answer. */
  next: {
    oferta: { es: 'Para aceptarla o preguntar, abra su solicitud:', en: 'To accept it or ask, open your request:' },
    pregunta: { es: 'Para responder, abra su solicitud:', en: 'To reply, open your request:' },
    other: { es: 'Vea su solicitud aquí:', en: 'See your request here:' },
  },
  isKey: {
    es: 'Quien tenga este enlace ve su solicitud y puede aceptar en su nombre: no lo comparta.',
    en: 'Whoever has this link sees your request and can accept in your name: do not share it.',
  },
  stop: {
    es: 'Si no quiere más correos de esta solicitud, ábrala y elija «Dejar de recibir correos» en «Más».',
    en: 'If you want no more e-mail about this request, open it and choose “Stop receiving e-mail” under “More”.',
  },
} as const;
