import { claims } from './claims.ts';

/** Texts of the section that contains the form. */
export const quote = {
  title: { es: 'Reservar espacio ahora', en: 'Book space now' },
  tiles: [
    { icon: 'check', name: { es: 'Sin compromiso', en: 'No commitment' } },
    { icon: 'clock', name: { es: `Respuesta en ${claims.response}`, en: `Reply in ${claims.response}` } },
    { icon: 'tag', name: { es: 'Tarifa preferente', en: 'Preferred rate' } },
  ],
  contents: {
    title: { es: 'Su cotización incluye', en: 'Your quote includes' },
    items: [
      { es: 'Tarifa todo incluido, puerta a puerta', en: 'All-in rate, door-to-door' },
      { es: 'Próximo vuelo con espacio', en: 'Next flight with space' },
      { es: 'Revisión de documentos sin costo', en: 'Free document audit' },
      { es: 'Camión hasta su destino en China', en: 'Trucking to your destination in China' },
    ],
  },
  security: {
    text: {
      es: 'Sus datos se usan sólo para responderle. Si no hay señal, esperan en este teléfono hasta entregarse.',
      en: 'Your data is used only to answer you. With no signal, it waits on this phone until delivered.',
    },
    link: 'Aviso de privacidad',
  },
} as const;
