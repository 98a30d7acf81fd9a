import type { Bilingual } from './bilingual.ts';

export const promotions = {
  given: { es: 'Aceptó recibir promociones.', en: 'You agreed to receive promotions.' },
  withdraw: { es: 'Ya no quiero promociones', en: 'I want no more promotions' },
  withdrawals: {
    waiting: {
      es: 'Se retira en cuanto haya señal; está guardado en este teléfono.',
      en: 'It is withdrawn as soon as there is signal; this is kept on this phone.',
    },
    delivered: {
      es: 'Ya no recibirá promociones. Su cotización sigue igual.',
      en: 'You will receive no more promotions. Your quote stays as it is.',
    },
    refused: { es: 'No se pudo retirar. Intente otra vez.', en: 'It could not be withdrawn. Try again.' },
  },
  notKept: {
    es: 'Este teléfono está lleno: escríbanos para retirarlo.',
    en: 'This phone is full: write to us to withdraw it.',
  },
} as const satisfies Readonly<Record<string, Bilingual | Readonly<Record<string, Bilingual>>>>;
