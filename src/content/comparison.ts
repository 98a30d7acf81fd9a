import type { Bilingual } from './bilingual.ts';
import { sentence } from './sentences.ts';
import { claims } from './claims.ts';

export const comparison = {
  title: sentence<[transit: Bilingual]>(
    (transit) => `${claims.seaDays} días contra ${transit}`,
    (transit) => `${claims.seaDays} days vs ${transit}`,
  )(claims.transit),
  intro: {
    es: 'Comparativo de costos por embarque. Cada cuadro es un día.',
    en: 'Cost comparison per shipment. Each square is a day.',
  },
  caption: 'Comparativo de costos: marítimo rápido y vuelo directo',
  item: { es: 'Concepto', en: 'Item' },
  sea: {
    name: { es: 'Marítimo rápido', en: 'Fast sea freight' },
    time: { es: `${claims.seaDays} días`, en: `${claims.seaDays} days` },
  },
  air: { name: { es: 'Vuelo directo', en: 'Direct flight' }, time: claims.transit },
  recommended: { es: 'Recomendado', en: 'Recommended' },
  fastest: {
    es: `${claims.fastestSeaDays} días en el servicio más rápido`,
    en: `${claims.fastestSeaDays} days on the fastest service`,
  },
  rows: [
    {
      item: { es: 'Capital detenido', en: 'Capital tied up' },
      sea: 'US\u00a0$22k',
      air: '$0',
    },
    {
      item: { es: 'Merma promedio', en: 'Average spoilage' },
      sea: '12%',
      air: { es: 'menos de 1%', en: 'under 1%' },
    },
    {
      item: { es: 'Riesgo de multas', en: 'Penalty risk' },
      sea: { es: 'alto', en: 'high' },
      air: { es: 'cero multas JIT', en: 'zero JIT fines' },
    },
  ],
} as const;
