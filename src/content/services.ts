import { claims } from './claims.ts';

export const services = {
  title: { es: 'Servicios', en: 'Services' },
  journey: {
    es: 'Afuera, calor de rampa y frío de altura; su carga, de 2 a 8\u00a0°C hasta la puerta.',
    en: 'Outside, ramp heat and cold aloft; your cargo, 2 to 8\u00a0°C to the door.',
  },
  items: [
    {
      mark: 'TIJ–CGO',
      name: { es: 'Ruta directa exclusiva', en: 'Exclusive direct route' },
      text: {
        es: 'De México al hub de Zhengzhou sin pasar por los cuellos de botella de LAX y PVG.',
        en: 'Mexico to the Zhengzhou hub, avoiding the LAX and PVG bottlenecks.',
      },
    },
    {
      mark: '2–8\u00a0°C',
      name: { es: 'Cadena de frío íntegra', en: 'Cold-chain integrity' },
      text: {
        es: 'Cámaras frías certificadas por IATA y telemetría de temperatura en vivo.',
        en: 'IATA-certified cool rooms and live temperature telemetry.',
      },
    },
    {
      mark: 'CCA fijo',
      name: { es: 'Costo en destino predecible', en: 'Predictable landed cost' },
      text: {
        es: 'Tarifa todo incluido y CCA fijo: el costo se conoce antes de volar.',
        en: 'All-in rates and flat CCA: you know the cost before the flight.',
      },
    },
    {
      mark: claims.distribution,
      name: { es: `${claims.cities} ciudades chinas`, en: `${claims.cities} Chinese cities` },
      text: {
        es: `Camiones alimentadores desde CGO llegan dentro de las ${claims.distribution} siguientes al aterrizaje.`,
        en: `Road feeders from CGO arrive within ${claims.distribution} of landing.`,
      },
    },
    {
      mark: 'SPOT',
      name: { es: 'Tarifa spot asegurada', en: 'Spot-rate lock' },
      text: {
        es: 'Un código spot exclusivo fija su tarifa. Los códigos del día son limitados; sin código se factura el nivel más alto.',
        en: 'An exclusive spot code locks your rate. Daily codes are limited; missing it bills the highest tier.',
      },
    },
    {
      mark: 'FTL/LTL',
      name: { es: 'Conexión terrestre integrada', en: 'Integrated ground connection' },
      text: {
        es: 'Después de CGO, camión FTL o LTL, refrigerado o seco, con una sola factura y rastreo continuo.',
        en: 'After CGO, FTL or LTL trucks, reefer or dry, on one invoice with continuous tracking.',
      },
    },
  ],
} as const;
