import type { Bilingual } from './bilingual.ts';
import { claims } from './claims.ts';

/** Texts that the desk shows while no lead is open. */
export const deskToday = {
  open: { es: 'Abrir', en: 'Open' },
  urgent: { es: 'La más urgente', en: 'The most urgent' },
  nothing: {
    es: `Nadie espera respuesta. Toda pregunta se responde en menos de ${claims.response}.`,
    en: `Nobody is waiting. Every question is answered within ${claims.response}.`,
  },
  due: { es: 'Por responder en las próximas 2 h', en: 'To answer within 2 h' },
  reminded: { es: 'Recordatorios de hoy', en: 'Reminders of today' },
  toBook: { es: 'Aceptadas, por reservar', en: 'Accepted, to book' },
  more: (count: number): Bilingual => ({ es: `y ${count} más`, en: `and ${count} more` }),
} as const;
