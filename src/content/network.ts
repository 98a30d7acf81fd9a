import type { Bilingual } from './bilingual.ts';
import { sentence } from './sentences.ts';
import { claims } from './claims.ts';
import { destinations, hubs, type Mode, type NetworkPoint } from './points.ts';
import { departures } from './departures.ts';
import { spelled } from './numbers.ts';

export const roles: Record<NetworkPoint['type'], Bilingual> = {
  origin: { es: 'Puerto de salida', en: 'Port of departure' },
  hub: { es: 'Centro de distribución', en: 'Distribution hub' },
  destination: { es: 'Destino', en: 'Destination' },
};

export const map = {
  name: { es: 'Mapa de la red logística', en: 'Map of the logistics network' },
  forced: { es: 'Carga inicial completa - inicializando vista...', en: 'Loaded, starting the view' },
  failed: {
    title: { es: 'Red Logística México a China 2025', en: 'Mexico to China Logistics Network 2025' },
    heading: { es: 'Error cargando el mapa', en: 'The map could not be loaded' },
    text: { es: 'No se pudo cargar el mapa interactivo', en: 'The interactive map did not load' },
    retry: { es: 'Reintentar', en: 'Try again' },
  },
  zoomIn: { es: 'Acercar', en: 'Zoom in' },
  zoomOut: { es: 'Alejar', en: 'Zoom out' },
  whole: { es: 'Ver México–China', en: 'Show Mexico–China' },
  /** Text of the button on a phone, whose screen is too narrow to show Mexico and China together. */
  mexico: { es: 'Ver México', en: 'Show Mexico' },
  china: { es: 'Ver China', en: 'Show China' },
  pause: { es: 'Pausar animación', en: 'Pause animation' },
  resume: { es: 'Reanudar animación', en: 'Resume animation' },
  twoFingers: { es: 'Mueva el mapa con dos dedos', en: 'Move the map with two fingers' },
  withCtrl: { es: 'Use Ctrl y la rueda para acercar', en: 'Use Ctrl and the wheel to zoom' },
  source: 'Costas: Natural Earth',
  more: {
    origin: { es: 'Vuelo directo a Zhengzhou', en: 'Direct flight to Zhengzhou' },
    hub: { es: 'Aduana y conexión por aire o carretera', en: 'Customs and connection by air or road' },
  },
} as const;

const airports = spelled(destinations.length);

export const network = {
  title: { es: 'Red Logística China 2025', en: 'China Logistics Network 2025' },
  subtitle: {
    es: 'Todos los vuelos aterrizan en Zhengzhou (CGO); de ahí su carga sigue por aire o carretera.',
    en: 'Every flight lands in Zhengzhou (CGO); from there your cargo is distributed inside China by air or road.',
  },
  arrivals: 'Vuelos de México',
  active: { es: 'Rutas Activas', en: 'Active routes' },
  stats: [
    { figure: `${hubs}`, text: { es: 'destinos en China', en: 'China destinations' } },
    {
      figure: claims.distribution.replace('\u00a0', ''),
      text: { es: 'distribución interna', en: 'internal distribution' },
    },
  ],
  legend: {
    title: { es: 'Modalidades de Transporte', en: 'Transport modes' },
    from: 'De Zhengzhou a',
    note: { es: 'Las líneas animadas son rutas activas.', en: 'Animated lines are active routes.' },
  },
  modes: {
    'air-perishable': { es: 'Aéreo (Perecederos)', en: 'Air (perishables)' },
    'air-general': { es: 'Aéreo (General)', en: 'Air (general)' },
    'truck-reefer': { es: 'Camión Completo Refrigerado', en: 'Full truck, reefer' },
    'truck-dry': { es: 'Camión Completo Seco', en: 'Full truck, dry' },
    'truck-shared': { es: 'Carga Agrupada (LTL)', en: 'Shared load (LTL)' },
  } satisfies Record<Mode, Bilingual>,
  cards: [
    {
      name: { es: 'Rutas Aéreas Internas', en: 'Domestic air routes' },
      text: sentence<[count: Bilingual]>(
        (count) => `De Zhengzhou a los otros ${count} destinos, con vuelos separados para perecederos y carga general.`,
        (count) =>
          `From Zhengzhou to the other ${count} destinations, on separate flights for perishables and general cargo.`,
      )(airports),
    },
    {
      name: { es: 'Distribución Terrestre', en: 'Ground distribution' },
      text: {
        es: `Camión completo o carga agrupada a ${claims.cities} ciudades en menos de ${claims.distribution}.`,
        en: `Full truck or shared load to ${claims.cities} cities within ${claims.distribution}.`,
      },
    },
    {
      name: { es: 'Puntos Estratégicos México', en: 'Strategic points in Mexico' },
      text: sentence<[ports: Bilingual]>(
        (ports) => `Salidas por ${ports}, cerca del campo, la planta y el puerto.`,
        (ports) => `Departures from ${ports}, close to field, plant and port.`,
      )(departures),
    },
  ],
} as const;
