import type { Bilingual } from './bilingual.ts';

export const notices = {
  label: { es: 'Avisos', en: 'Notices' },
  notCopied: { es: 'No se pudo copiar.', en: 'It could not be copied.' },
  close: { es: 'Cerrar aviso', en: 'Close notice' },
} as const satisfies Record<string, Bilingual>;
