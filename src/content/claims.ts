import { PROMISED_HOURS } from '../lead/promise.ts';

/** The company's promises. A figure that two sections say stands here, once; no line breaks between it and its unit. */
export const claims = {
  transitHours: 17.5,
  transit: { es: '17.5 horas', en: '17.5 hours' },
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
