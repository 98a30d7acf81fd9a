import type { Bilingual } from './bilingual.ts';

/** Words about sending the same quote again under a new folio. */
export const quoteCopy = {
  repeat: { es: 'Otra igual', en: 'Same again' },
  confirm: {
    es: '¿Pedir otra igual? Lleva los mismos datos y su propio folio; ésta sigue como está.',
    en: 'Ask for the same again? It has the same data and a reference of its own; this one stays as it is.',
  },
  yes: { es: 'Sí, pedir otra', en: 'Yes, ask again' },
  no: { es: 'Todavía no', en: 'Not yet' },
  saved: (folio: string): Bilingual => ({
    es: `Guardada en este teléfono con el folio ${folio}; se envía sola.`,
    en: `Kept on this phone under the reference ${folio}; it is sent by itself.`,
  }),
} as const;
