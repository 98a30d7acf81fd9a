import { claims } from './claims.ts';

export const announcement = {
  label: 'Aviso de capacidad',
  text: {
    es: `Capacidad de carga ${claims.bookedPercent}% ocupada`,
    en: `Cargo capacity ${claims.bookedPercent}% booked — lock your space today`,
  },
} as const;
