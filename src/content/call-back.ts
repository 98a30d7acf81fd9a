import { claims } from './claims.ts';

export const callBackNote = {
  es: `Pidió que le llamemos. Con estos datos le llamamos en menos de ${claims.response}, ya con su tarifa.`,
  en: `You asked for a call. With these details we call you within ${claims.response}, with your rate ready.`,
} as const;
