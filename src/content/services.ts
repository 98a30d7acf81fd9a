import { claims } from './claims.ts';

export const services = {
  title: { es: 'Servicios', en: 'Services' },
  journey: {
    es: 'Afuera, calor en rampa y frío en altura; adentro, su carga entre 2 y 8\u00a0°C hasta la puerta.',
    en: 'Outside, ramp heat and cold aloft; inside, your cargo at 2 to 8\u00a0°C to the door.',
  },
  items: [
    {
      mark: 'TIJ–CGO',
      name: { es: 'Ruta directa exclusiva', en: 'Exclusive direct route' },
      text: {
        es: 'De México a Zhengzhou (CGO) sin los cuellos de botella de Los Ángeles (LAX) y Shanghai (PVG).',
        en: 'Mexico to Zhengzhou (CGO), avoiding the bottlenecks of Los Angeles (LAX) and Shanghai (PVG).',
      },
    },
    {
      mark: '2–8\u00a0°C',
      name: { es: 'Cadena de frío sin interrupciones', en: 'Cold-chain integrity' },
      text: {
        es: 'Cámaras frías con certificación IATA y monitoreo de temperatura en vivo.',
        en: 'IATA-certified cool rooms and live temperature telemetry.',
      },
    },
    {
      mark: 'CCA',
      name: { es: 'Costo total predecible', en: 'Predictable landed cost' },
      text: {
        es: 'Tarifa todo incluido y cargos fijos en destino (CCA): conoce su costo antes de volar.',
        en: 'All-in rates and flat destination charges (CCA): you know the cost before the flight.',
      },
    },
    {
      mark: claims.distribution,
      name: { es: `${claims.cities} ciudades chinas`, en: `${claims.cities} Chinese cities` },
      text: {
        es: `Desde Zhengzhou repartimos por carretera en menos de ${claims.distribution} tras el aterrizaje.`,
        en: `From Zhengzhou we deliver by road within ${claims.distribution} of landing.`,
      },
    },
    {
      mark: 'SPOT',
      name: { es: 'Tarifa spot asegurada', en: 'Spot-rate lock' },
      text: {
        es: 'Un código spot exclusivo fija su tarifa del día. Hay pocos códigos al día; sin código se cobra la tarifa más alta.',
        en: 'An exclusive spot code locks your rate of the day. Daily codes are limited; without one the highest rate applies.',
      },
    },
    {
      mark: 'FTL/LTL',
      name: { es: 'Conexión terrestre integrada', en: 'Integrated ground connection' },
      text: {
        es: 'Camión completo (FTL) o carga agrupada (LTL), refrigerados o secos, con una sola factura y rastreo continuo.',
        en: 'Full truck (FTL) or shared load (LTL), reefer or dry, on one invoice with continuous tracking.',
      },
    },
  ],
} as const;
