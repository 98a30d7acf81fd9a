import type { Bilingual } from './bilingual.ts';

/** Texts of a WhatsApp message to the customer that differ from those of the mail (customer-mail.ts). */
export const customerWhatsApp = {
  next: {
    oferta: {
      es: 'Para aceptarla, abra su solicitud. Para preguntar, responda aquí.',
      en: 'To accept it, open your request. To ask, reply here.',
    },
    pregunta: {
      es: 'Puede responder aquí, o en su solicitud:',
      en: 'You can reply here, or in your request:',
    },
    other: { es: 'Vea su solicitud aquí:', en: 'See your request here:' },
  },
  stop: {
    es: 'Si no quiere más mensajes por WhatsApp, responda BAJA.',
    en: 'If you want no more messages by WhatsApp, reply STOP.',
  },
} as const satisfies Readonly<Record<string, Bilingual | Readonly<Record<string, Bilingual>>>>;
