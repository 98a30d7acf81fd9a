import type { Bilingual } from './bilingual.ts';

/** Words about asking for a copy of a quote, and about remembering the sender. */
export const another = {
  same: { es: 'Otra igual', en: 'Same again' },
  confirm: {
    es: '¿Pedir otra igual? Lleva los mismos datos y su propio folio; ésta sigue como está.',
    en: 'Ask for the same again? It has the same data and a reference of its own; this one stays as it is.',
  },
  yes: { es: 'Sí, pedir otra', en: 'Yes, ask again' },
  no: { es: 'Todavía no', en: 'Not yet' },
  kept: (folio: string): Bilingual => ({
    es: `Guardada en este teléfono con el folio ${folio}; se envía sola.`,
    en: `Kept on this phone under the reference ${folio}; it is sent by itself.`,
  }),

  remember: { es: 'Recordar mis datos para la próxima', en: 'Remember my data for the next one' },
} as const;
