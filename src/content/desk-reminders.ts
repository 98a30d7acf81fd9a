import type { Bilingual } from './bilingual.ts';
import { sentence } from './sentences.ts';

export const deskReminders = {
  open: { es: 'Recordar', en: 'Remind me' },
  at: sentence<[when: Bilingual]>(
    (when) => `Recordar ${when}`,
    (when) => `Reminder ${when}`,
  ),
  hour: { es: 'En 1 h', en: 'In 1 h' },
  tomorrow: { es: 'Mañana 9:00', en: 'Tomorrow 9:00' },
  monday: { es: 'Lunes 9:00', en: 'Monday 9:00' },
  day: { es: 'Día', en: 'Day' },
  time: { es: 'Hora, en Tijuana', en: 'Time, in Tijuana' },
  expires: { es: 'Al vencer la oferta', en: 'When the offer expires' },
  remove: { es: 'Quitar recordatorio', en: 'Remove reminder' },
  bad: {
    es: 'Elija una fecha futura, de un año como máximo.',
    en: 'Choose a future date, within a year.',
  },
} as const;
