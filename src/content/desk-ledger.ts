import type { Bilingual } from './bilingual.ts';
import { sentence } from './sentences.ts';

/** Texts of the ledger, which counts how leads ended. */
export const ledger = {
  title: { es: 'Resultados', en: 'Results' },
  by: { es: 'Agrupar por', en: 'Group by' },
  groups: {
    week: { es: 'semana', en: 'week' },
    agent: { es: 'persona', en: 'person' },
    cargo: { es: 'tipo de carga', en: 'type of cargo' },
    origin: { es: 'vía', en: 'origin' },
    hour: { es: 'hora', en: 'hour' },
    reason: { es: 'motivo de pérdida', en: 'reason of a loss' },
  },
  weeks: (count: number): Bilingual => ({ es: `${count} semanas`, en: `${count} weeks` }),
  since: { es: 'Periodo', en: 'Period' },
  measures: {
    received: { es: 'Recibidas', en: 'Received' },
    inTime: { es: 'A tiempo', en: 'In time' },
    seen: { es: 'Vistas', en: 'Seen' },
    accepted: { es: 'Aceptadas', en: 'Accepted' },
    booked: { es: 'Reservadas', en: 'Booked' },
    lost: { es: 'Perdidas', en: 'Lost' },
  },
  all: { es: 'Todas', en: 'All' },
  week: sentence<[day: Bilingual]>(
    (day) => `semana del ${day}`,
    (day) => `week of ${day}`,
  ),
  own: {
    es: 'Sólo sus solicitudes; el supervisor ve las de todo el equipo.',
    en: 'Your requests only; a supervisor sees the whole team’s.',
  },
  counted: (what: string, where: string): Bilingual => ({
    es: `${what} · ${where}`,
    en: 'The requests that this figure counts. Any filter ends this view.',
  }),
  press: { es: 'Toque un número para ver esas solicitudes.', en: 'Press a number to see those requests.' },
  print: { es: 'Imprimir', en: 'Print' },
  asking: { es: 'Contando…', en: 'Counting…' },
} as const;
