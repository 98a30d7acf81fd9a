import { claims } from './claims.ts';

export const benefits = {
  title: { es: 'Beneficios que disparan ventas', en: 'Benefits that drive sales' },
  items: [
    {
      figure: claims.fineSavings,
      drawing: 'fines',
      name: { es: 'al día: hasta esa suma ahorra en multas', en: 'a day: up to that much saved in fines' },
      text: {
        es: 'Justo a tiempo (JIT): su línea no para.',
        en: 'Just-in-time (JIT): your line does not stop.',
      },
    },
    {
      figure: claims.spoilage,
      drawing: 'spoilage',
      name: { es: 'de merma promedio', en: 'average spoilage' },
      text: {
        es: 'Más cajas que se venden a precio completo en destino.',
        en: 'More boxes sold at full price on arrival.',
      },
    },
    {
      figure: claims.onTime,
      drawing: 'departures',
      name: { es: 'de salidas a tiempo', en: 'on-time departures' },
      text: {
        es: 'Fechas de entrega que puede comprometer con su cliente.',
        en: 'Delivery dates you can commit to with your customer.',
      },
    },
    {
      figure: claims.response,
      drawing: 'answer',
      name: { es: 'para tener su cotización', en: 'to have your quote' },
      text: {
        es: 'El precio llega mientras su comprador todavía está negociando.',
        en: 'The price arrives while your buyer is still negotiating.',
      },
    },
    {
      figure: '$0',
      drawing: 'documents',
      name: { es: 'por revisar sus documentos', en: 'for a document audit' },
      text: {
        es: 'Revisamos el expediente antes del vuelo, para que la carga no se detenga en aduana.',
        en: 'Free: we check the file before the flight, so that cargo is not held at customs.',
      },
    },
    {
      figure: claims.support,
      drawing: 'hours',
      name: { es: 'con un equipo experto', en: 'with an expert team' },
      text: {
        es: 'Las diez de la noche en Tijuana son hora de oficina en Zhengzhou.',
        en: 'Ten at night in Tijuana is office time in Zhengzhou.',
      },
    },
  ],
} as const;
