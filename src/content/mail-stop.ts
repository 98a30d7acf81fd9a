import type { Bilingual } from './bilingual.ts';

/** Texts about mail to the customer, which the customer can stop. */
export const mailStop = {
  given: { es: 'También le enviamos nuestras respuestas por correo.', en: 'We also e-mail you our answers.' },
  withdraw: { es: 'Dejar de recibir correos', en: 'Stop receiving e-mail' },
  withdrawals: {
    waiting: {
      es: 'Se enviará en cuanto haya señal; ya quedó pedido desde este teléfono.',
      en: 'It sends as soon as there is signal; this phone has already asked for it.',
    },
    delivered: {
      es: 'Ya no recibirá correos de esta solicitud. Verá las respuestas aquí.',
      en: 'You will receive no more e-mail about this request. You will see the answers here.',
    },
    refused: { es: 'No se pudo entregar. Intente otra vez.', en: 'It could not be delivered. Try again.' },
  },
  notKept: {
    es: 'Este teléfono está lleno: responda al correo para dejar de recibirlos.',
    en: 'This phone is full: reply to the e-mail to stop receiving them.',
  },
} as const satisfies Readonly<Record<string, Bilingual | Readonly<Record<string, Bilingual>>>>;
