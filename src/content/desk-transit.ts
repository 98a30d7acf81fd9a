import type { Bilingual } from './bilingual.ts';
import { claims } from './claims.ts';
import { sentence } from './sentences.ts';

/** Texts of the figures about the duration of shipments. */
export const deskTransit = {
  title: { es: 'Embarques que llegaron, 90 días', en: 'Shipments that arrived, 90 days' },
  promised: sentence<[transit: Bilingual]>(
    (transit) => `La página promete ${transit} de vuelo, ${claims.onTime} a tiempo y ${claims.spoilage} de merma.`,
    (transit) => `The page promises ${transit} of flight, ${claims.onTime} on time and ${claims.spoilage} spoilage.`,
  )(claims.transit),
  none: { es: 'Ninguno con salida y llegada todavía.', en: 'None with departure and arrival yet.' },
  onTime: (met: number, all: number, median: string): Bilingual => ({
    es: `a tiempo: ${met} de ${all} · mediana ${median}`,
    en: `on time: ${met} of ${all} · median ${median}`,
  }),
  unmeasured: (count: number): Bilingual => ({
    es: `${count} sin hora de salida: no ${count === 1 ? 'cuenta' : 'cuentan'}.`,
    en: `${count} without a time of departure: not counted.`,
  }),
  waste: (percent: string, count: number): Bilingual => ({
    es: `Merma promedio: ${percent} % (${count} ${count === 1 ? 'entrega' : 'entregas'} con merma declarada)`,
    en: `Average spoilage: ${percent} % (${count} ${count === 1 ? 'delivery' : 'deliveries'} that stated it)`,
  }),
} as const;
