import type { Bilingual } from './bilingual.ts';

export const promotions = {
  given: { es: 'Aceptó recibir promociones.', en: 'You agreed to receive promotions.' },
  withdraw: { es: 'Dejar de recibir promociones', en: 'Stop receiving promotions' },
  withdrawals: {
    waiting: {
      es: 'Se enviará en cuanto haya señal; ya quedó pedido desde este teléfono.',
      en: 'It sends as soon as there is signal; this phone has already asked for it.',
    },
    delivered: {
      es: 'Ya no recibirá promociones. Su solicitud no cambia.',
      en: 'You will receive no more promotions. Your request does not change.',
    },
    refused: { es: 'No se pudo entregar. Intente otra vez.', en: 'It could not be delivered. Try again.' },
  },
  notKept: {
    es: 'Este teléfono está lleno: escríbanos para dejar de recibirlas.',
    en: 'This phone is full: write to us to stop receiving them.',
  },
} as const satisfies Readonly<Record<string, Bilingual | Readonly<Record<string, Bilingual>>>>;
