import type { Bilingual } from './bilingual.ts';
import { sentence } from './sentences.ts';

/** Texts of the page that the server returns after a form was sent without scripts. */
export const noScriptForm = {
  /** Text for sites whose server does not accept forms without scripts. */
  withoutScript: {
    es: 'Este formulario necesita JavaScript. Sin él, pídanos su cotización por teléfono o correo:',
    en: 'This form needs JavaScript. Without it, ask for your quote by phone or e-mail:',
  },
  title: { es: 'Su solicitud de cotización', en: 'Your quote request' },
  delivered: { es: 'entregada', en: 'delivered' },
  promise: sentence<[received: Bilingual, deadline: string]>(
    (received, deadline) => `La recibimos ${received}. Le respondemos antes de las ${deadline} (Tijuana).`,
    (received, deadline) => `We received it ${received}. We answer by ${deadline} (Tijuana).`,
  ),
  call: { es: '¿Le urge? Llame y dé su folio:', en: 'Urgent? Call us with your reference:' },
  keep: {
    es: 'Guarde este enlace: abre su solicitud y nuestra respuesta en cualquier navegador con JavaScript.',
    en: 'Keep this link: it opens your request and our answer in any browser with JavaScript.',
  },
  open: { es: 'Abrir mi solicitud', en: 'Open my request' },
  backToForm: { es: 'Volver al formulario', en: 'Back to the form' },
  otherSite: {
    es: 'Esta solicitud viene de otro sitio y no se guardó. Envíela desde nuestro formulario.',
    en: 'This request comes from another site and was not saved. Send it from our form.',
  },
  tooLarge: {
    es: 'Su envío es demasiado grande y no se guardó. Envíelo desde nuestro formulario.',
    en: 'Your submission is too large and was not saved. Send it from our form.',
  },
  notForm: {
    es: 'Su envío no se pudo leer y no se guardó. Envíelo desde nuestro formulario.',
    en: 'Your submission could not be read and was not saved. Send it from our form.',
  },
} as const;
