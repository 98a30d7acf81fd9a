import { claims } from './claims.ts';

export const callBackNote = {
  es: `Pidió que le llamemos: con estos datos le llamamos a su teléfono en ${claims.response}, ya con su tarifa.`,
  en: `You asked for a call: with this data we phone you within ${claims.response}, with your rate at hand.`,
} as const;
