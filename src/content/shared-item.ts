import type { Bilingual } from './bilingual.ts';

export const sharedItem = {
  title: { es: 'Lo que compartió', en: 'What you shared' },
  none: {
    es: 'No llegó lo que compartió. Compártalo otra vez.',
    en: 'What you shared did not arrive. Share it again.',
  },
  propose: { es: 'Usar en una solicitud nueva', en: 'Use in a new request' },
  proposes: (fields: number): Bilingual => ({
    es:
      fields === 1
        ? 'Reconocimos un dato; revíselo en el formulario.'
        : `Reconocimos ${fields} datos; revíselos en el formulario.`,
    en:
      fields === 1
        ? 'We recognized one value; check it in the form.'
        : `We recognized ${fields} values; check them in the form.`,
  }),
  nothingRead: {
    es: 'No reconocimos datos en ese texto. Escríbalos en el formulario.',
    en: 'We recognized no values in that text. Write them in the form.',
  },
  attachTo: { es: 'Adjuntar a la solicitud', en: 'Attach to the request' },
  attach: { es: 'Adjuntar', en: 'Attach' },
  attached: (folio: string): Bilingual => ({ es: `Adjunto a ${folio}.`, en: `Attached to ${folio}.` }),
  noQuote: {
    es: 'Envíe primero su solicitud; después comparta el archivo otra vez.',
    en: 'Send your request first; then share the file again.',
  },
  discard: { es: 'Descartar', en: 'Discard' },
};
