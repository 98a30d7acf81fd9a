import type { Bilingual } from './bilingual.ts';

/** Texts of the receipt's button that allows WhatsApp messages. */
export const whatsAppAlerts = {
  offer: { es: 'Avisarme por WhatsApp', en: 'Tell me by WhatsApp' },
  consent: (company: string, telephone: string): Bilingual => ({
    es: `${company} le escribirá al ${telephone} sobre esta solicitud. Puede desactivarlo cuando quiera.`,
    en: `${company} will write to ${telephone} about this request. You can turn it off at any time.`,
  }),
  off: { es: 'Ya no escribirme por WhatsApp', en: 'Stop writing by WhatsApp' },
  /**
   * Texts about the exporter's choice: before the phone has sent the choice (`waiting`) and afterwards (`delivered`).
   */
  wanted: {
    waiting: {
      es: 'Este teléfono lo pedirá en cuanto haya señal.',
      en: 'This phone asks for it as soon as there is signal.',
    },
    delivered: {
      es: 'Le escribiremos por WhatsApp cuando haya respuesta.',
      en: 'We will write to you by WhatsApp when there is an answer.',
    },
  },
  stopped: {
    waiting: {
      es: 'Se enviará en cuanto haya señal; ya quedó pedido desde este teléfono.',
      en: 'It sends as soon as there is signal; this phone has already asked for it.',
    },
    delivered: { es: 'Ya no le escribiremos por WhatsApp.', en: 'We will no longer write to you by WhatsApp.' },
  },
  refused: { es: 'No se pudo entregar. Intente otra vez.', en: 'It could not be delivered. Try again.' },
  notKept: {
    es: 'Este teléfono está lleno: no se pudo guardar lo que pidió.',
    en: 'This phone is full: your choice could not be kept.',
  },
} as const;
