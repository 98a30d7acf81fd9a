import { englishWords, type Bilingual } from './bilingual.ts';
import { sentence } from './sentences.ts';
import { claims } from './claims.ts';
import { departures } from './departures.ts';
import { hubs } from './points.ts';

export const hero = {
  headline: sentence<[transit: Bilingual]>(
    (transit) => `Reserva tu espacio hoy y llega a China en ${transit}`,
    (transit) => `Book your space today and reach China in ${transit}`,
  )(claims.transit),
  copy: sentence<[ports: Bilingual]>(
    (ports) =>
      `Vuelo directo a Zhengzhou desde ${ports}, aduana en China y camión hasta la puerta de su cliente. Una tarifa, una factura.`,
    (ports) =>
      `Direct flight to Zhengzhou from ${ports}, China customs and trucking to your customer’s door. One rate, one invoice.`,
  )(departures),
  badges: [
    {
      figure: `${claims.transitHours}\u00a0h`,
      text: { es: 'Tiempo de vuelo', en: `${englishWords(claims.transit)} delivery` },
    },
    { figure: claims.spoilage, text: { es: 'Merma promedio', en: 'Average spoilage' } },
    {
      figure: 'Puerta a puerta',
      text: { es: `A ${hubs} destinos en China`, en: `Door-to-door, ${hubs} hubs in China` },
    },
    {
      figure: `${claims.capacityTons}\u00a0t`,
      text: { es: 'Capacidad por vuelo', en: `${claims.capacityTons} tons capacity` },
    },
  ],
} as const;
