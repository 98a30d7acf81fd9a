import type { Bilingual } from './bilingual.ts';

export const rememberContactLabel: Bilingual = {
  es: 'Recordar mis datos para la próxima',
  en: 'Remember my details for next time',
};
