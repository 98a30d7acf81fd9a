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
        (transit) => `Vuelo directo Tijuana–Zhengzhou, ${transit}`,
        (transit) => `Direct flight Tijuana–Zhengzhou, ${transit}`,
      )(claims.transit),
      text: { es: 'Sin escalas ni transbordos en terceros países.', en: 'No stops, no transfers in third countries.' },
    },
    {
      name: { es: 'Despacho aduanal en China', en: 'China customs clearance' },
      text: {
        es: 'Nuestro equipo en Zhengzhou libera la carga con sus documentos ya revisados.',
        en: 'Our Zhengzhou team clears the cargo on documents already checked.',
      },
    },
    {
      name: { es: 'Camión a destino final', en: 'Trucking to final destination' },
      text: {
        es: 'Completo (FTL) o carga agrupada (LTL), hasta la puerta de su cliente.',
        en: 'Full (FTL) or shared load (LTL), to your customer’s door.',
      },
    },
  ],
} as const;
