import type { Bilingual } from './bilingual.ts';

/** Texts about sending a copy of a quote, which gets a new folio. */
export const quoteCopy = {
  repeat: { es: 'Repetir solicitud', en: 'Repeat the request' },
  confirm: {
    es: '¿Repetirla con los mismos datos? Tendrá un folio nuevo; ésta no cambia.',
    en: 'Repeat it with the same data? It gets a new reference; this one does not change.',
  },
  yes: { es: 'Sí, enviar otra', en: 'Yes, send another' },
  no: { es: 'Cancelar', en: 'Cancel' },
  saved: (folio: string): Bilingual => ({
    es: `Guardada en este teléfono con el folio ${folio}; se enviará automáticamente.`,
    en: `Saved on this phone with the reference ${folio}; it sends automatically.`,
  }),
} as const;
