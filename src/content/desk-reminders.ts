import type { Bilingual } from './bilingual.ts';
import { sentence } from './sentences.ts';

/** Words about a lead that comes back to its owner. */
export const deskReminders = {
  open: { es: 'Recordar', en: 'Remind me' },
  mark: { es: 'recordar', en: 'reminder' },
  at: sentence<[when: Bilingual]>(
    (when) => `Recordar ${when}`,
    (when) => `Reminder ${when}`,
  ),
  day: { es: 'Día', en: 'Day' },
  time: { es: 'Hora, en Tijuana', en: 'Time, in Tijuana' },
  expires: { es: 'Cuando venza el precio', en: 'Before the price expires' },
  remove: { es: 'Quitar', en: 'Remove' },
  bad: {
    es: 'Elija un momento que venga, a lo más dentro de un año.',
    en: 'Choose a moment to come, within a year at the most.',
  },
} as const;
