import type { Bilingual } from './bilingual.ts';

/** What became of all requests, counted. */
export const ledger = {
  title: { es: 'Qué fue de ellas', en: 'What became of them' },
  by: { es: 'Por', en: 'By' },
  groups: {
    week: { es: 'semana', en: 'week' },
    agent: { es: 'persona', en: 'person' },
    cargo: { es: 'tipo de carga', en: 'type of cargo' },
    origin: { es: 'vía', en: 'origin' },
    hour: { es: 'hora', en: 'hour' },
    reason: { es: 'motivo de pérdida', en: 'reason of a loss' },
  },
  weeks: (count: number): Bilingual => ({ es: `${count} semanas`, en: `${count} weeks` }),
  since: { es: 'De las últimas', en: 'Of the last' },
  measures: {
    received: { es: 'Recibidas', en: 'Received' },
    inTime: { es: 'A tiempo', en: 'In time' },
    seen: { es: 'Vistas', en: 'Seen' },
    accepted: { es: 'Aceptadas', en: 'Accepted' },
    booked: { es: 'Reservadas', en: 'Booked' },
    lost: { es: 'Perdidas', en: 'Lost' },
  },
  all: { es: 'Todas', en: 'All' },
  nobody: { es: 'nadie', en: 'nobody' },
  own: {
    es: 'Son las suyas: las de todos las ve quien supervisa.',
    en: 'These are yours: supervisors see everybody’s.',
  },
  counted: (what: string, where: string): Bilingual => ({
    es: `${what} · ${where}`,
    en: 'What the figure counts. Any filter ends it.',
  }),
  press: { es: 'Un número abre las solicitudes que cuenta.', en: 'A number opens the requests that it counts.' },
  print: { es: 'Imprimir', en: 'Print' },
  asking: { es: 'Contando…', en: 'Counting…' },
} as const;
