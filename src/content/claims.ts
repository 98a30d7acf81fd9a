import { PROMISED_HOURS, TRANSIT_HOURS } from '../lead/promise.ts';

/**
 * Promises and figures of the company that several sections show. The space before a unit does not allow a line break.
 */
export const claims = {
  transitHours: TRANSIT_HOURS,
  transit: { es: `${TRANSIT_HOURS} horas`, en: `${TRANSIT_HOURS} hours` },
  seaDays: 21,
  fastestSeaDays: 12,
  spoilage: '0.8%',
  capacityTons: 40,
  cities: 60,
  distribution: '24\u00a0h',
  fineSavings: 'US\u00a0$5k',
  exporters: '40+',
  responseHours: PROMISED_HOURS,
  response: `${PROMISED_HOURS}\u00a0h`,
  onTime: '99%',
  support: '24/7',
  bookedPercent: 72,
} as const;
