import type { Bilingual } from './bilingual.ts';

export const notices = {
  label: { es: 'Avisos', en: 'Notices' },
  close: { es: 'Cerrar aviso', en: 'Close notice' },
} as const satisfies Record<string, Bilingual>;
