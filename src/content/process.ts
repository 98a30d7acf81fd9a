import type { Bilingual } from './bilingual.ts';
import { sentence } from './sentences.ts';
import { claims } from './claims.ts';

export const process = {
  title: { es: 'Cómo funciona', en: 'How it works' },
  steps: [
    {
      name: { es: 'Recolección en planta, México', en: 'Plant pick-up in Mexico' },
      text: {
        es: 'Pasamos por la carga a su empaque, planta o bodega.',
        en: 'We collect at your packing shed, plant or warehouse.',
      },
    },
    {
      name: sentence<[transit: Bilingual]>(
        (transit) => `Vuelo directo TIJ–CGO, ${transit}`,
        (transit) => `Direct flight TIJ–CGO, ${transit}`,
      )(claims.transit),
      text: { es: 'Sin escalas ni transbordos en terceros países.', en: 'No stops, no transfers in third countries.' },
    },
    {
      name: { es: 'Despacho aduanal en China', en: 'China customs clearance' },
      text: {
        es: 'Nuestro equipo en Zhengzhou libera la carga con sus documentos ya auditados.',
        en: 'Our Zhengzhou team clears the cargo on documents already audited.',
      },
    },
    {
      name: { es: 'Camión FTL/LTL a destino final', en: 'FTL/LTL trucking to final destination' },
      text: {
        es: 'Refrigerado o seco, hasta la puerta de su cliente.',
        en: 'Reefer or dry, to your customer’s door.',
      },
    },
  ],
} as const;
