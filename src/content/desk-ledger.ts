import type { Bilingual } from './bilingual.ts';
import { sentence } from './sentences.ts';

/** Words of the ledger, which counts the outcomes of requests. */
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
    en: 'These are yours: supervisors see everybody’s.',
  },
  counted: (what: string, where: string): Bilingual => ({
    es: `${what} · ${where}`,
    en: 'What the figure counts. Any filter ends it.',
  }),
  press: { es: 'Toque un número para ver esas solicitudes.', en: 'A number opens the requests that it counts.' },
  print: { es: 'Imprimir', en: 'Print' },
  asking: { es: 'Contando…', en: 'Counting…' },
} as const;
