import type { Bilingual } from './bilingual.ts';

/** Mail about a quote, which its sender can stop. */
export const mailStop = {
  given: { es: 'También le enviamos por correo lo que respondemos.', en: 'We also e-mail you what we answer.' },
  withdraw: { es: 'Ya no enviarme correos', en: 'Send me no more e-mail' },
  withdrawals: {
    waiting: {
      es: 'Se desactivan en cuanto haya señal; está guardado en este teléfono.',
      en: 'They are turned off as soon as there is signal; this is kept on this phone.',
    },
    delivered: {
      es: 'Ya no recibirá correos de esta cotización. La respuesta la verá aquí.',
      en: 'You will receive no more e-mail about this quote. You see the answer here.',
    },
    refused: { es: 'No se pudieron desactivar. Intente otra vez.', en: 'They could not be turned off. Try again.' },
  },
  notKept: {
    es: 'Este teléfono está lleno: conteste el correo y los desactivamos.',
    en: 'This phone is full: reply to the mail and we turn them off.',
  },
} as const satisfies Readonly<Record<string, Bilingual | Readonly<Record<string, Bilingual>>>>;
