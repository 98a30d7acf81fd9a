import { answers } from './answers.ts';
import type { Bilingual } from './bilingual.ts';
import { sentence } from './sentences.ts';

/** Words of the mail in which a customer reads what the sales team said. */
export const customerMail = {
  subject: (folio: string, company: string): Bilingual => ({
    es: `Su cotización ${folio} · ${company}`,
    en: `Your quote ${folio} · ${company}`,
  }),
  greeting: (name: string): Bilingual => ({ es: `Buen día, ${name}:`, en: `Hello ${name},` }),
  /** First sentences, by kind of answer or outcome. */
  oferta: (folio: string): Bilingual => ({
    es: `Esta es nuestra oferta para su cotización ${folio}.`,
    en: `This is our offer for your quote ${folio}.`,
  }),
  pregunta: (folio: string): Bilingual => ({
    es: `Tenemos una pregunta sobre su cotización ${folio}.`,
    en: `We have a question about your quote ${folio}.`,
  }),
  mensaje: (folio: string): Bilingual => ({
    es: `Le escribimos por su cotización ${folio}.`,
    en: `A message about your quote ${folio}.`,
  }),
  retirada: (folio: string): Bilingual => ({
    es: `Retiramos nuestra oferta para la cotización ${folio}.`,
    en: `We have withdrawn our offer for quote ${folio}.`,
  }),
  reservada: (folio: string): Bilingual => ({
    es: `Su espacio está reservado. Cotización ${folio}.`,
    en: `Your space is booked. Quote ${folio}.`,
  }),
  sinespacio: (folio: string): Bilingual => ({
    es: `No hubo espacio en ese vuelo para su cotización ${folio}.`,
    en: `There was no space on that flight for your quote ${folio}.`,
  }),
  reference: sentence<[reference: string]>(
    (reference) => `Guía o referencia: ${reference}`,
    (reference) => `Waybill or reference: ${reference}`,
  ),
  validUntil: answers.until,
  /** What to do next, before the link. */
  next: {
    oferta: { es: 'Para aceptarla o preguntar, abra su cotización:', en: 'To accept it or ask, open your quote:' },
    pregunta: { es: 'Conteste en su cotización:', en: 'Reply in your quote:' },
    other: { es: 'Vea su cotización aquí:', en: 'See your quote here:' },
  },
  isKey: {
    es: 'El enlace abre su cotización sin contraseña: no lo comparta.',
    en: 'The link opens your quote without a password: do not share it.',
  },
  stop: {
    es: 'Si no quiere correos de esta cotización, ábrala y elija «Ya no enviarme correos» en «Más».',
    en: 'If you want no mail about this quote, open it and choose "Send me no more e-mail" under "More".',
  },
} as const;
