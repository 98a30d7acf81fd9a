import type { Bilingual } from './bilingual.ts';

export const notices = {
  label: { es: 'Avisos', en: 'Notices' },
  notCopied: { es: 'No se pudo copiar.', en: 'It could not be copied.' },
  close: { es: 'Cerrar aviso', en: 'Close notice' },
  /** Shown while the phone sends a quote that could not be stored on disk. */
  unsaved: {
    es: 'No pudimos guardarla en este teléfono; la estamos enviando.',
    en: 'We could not save it on this phone; we are sending it.',
  },
} as const satisfies Record<string, Bilingual>;
