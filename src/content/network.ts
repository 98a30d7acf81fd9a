import type { Bilingual } from './bilingual.ts';
import { claims } from './claims.ts';

export interface NetworkPoint {
  readonly code: string;
  readonly name: string;
  readonly lat: number;
  readonly lng: number;
  readonly type: 'origin' | 'hub' | 'destination';
  /** Where on the map there is room for its code. */
  readonly label: 'west' | 'east';
  /** The first of the lanes in which its lines lie side by side: neighbours must not share one. */
  readonly firstLane?: number;
}

export const points: readonly NetworkPoint[] = [
  { code: 'TIJ', name: 'Tijuana', lat: 32.541, lng: -116.97, type: 'origin', label: 'west' },
  { code: 'AIFA', name: 'Ciudad de México', lat: 19.746, lng: -99.009, type: 'origin', label: 'west' },
  { code: 'CUN', name: 'Cancún', lat: 21.037, lng: -86.877, type: 'origin', label: 'east' },
  { code: 'CGO', name: 'Zhengzhou', lat: 34.52, lng: 113.841, type: 'hub', label: 'west' },
  { code: 'PEK', name: 'Beijing', lat: 40.08, lng: 116.585, type: 'destination', label: 'east' },
  { code: 'PVG', name: 'Shanghai', lat: 31.143, lng: 121.805, type: 'destination', label: 'east' },
  { code: 'XMN', name: 'Xiamen', lat: 24.544, lng: 118.128, type: 'destination', label: 'east' },
  { code: 'SZX', name: 'Shenzhen', lat: 22.639, lng: 113.811, type: 'destination', label: 'east', firstLane: 0.4 },
  { code: 'CAN', name: 'Guangzhou', lat: 23.392, lng: 113.299, type: 'destination', label: 'west', firstLane: -3.4 },
];

export const roles: Record<NetworkPoint['type'], Bilingual> = {
  origin: { es: 'Puerto de salida', en: 'Port of departure' },
  hub: { es: 'Centro de distribución', en: 'Distribution hub' },
  destination: { es: 'Destino', en: 'Destination' },
};

/** The words of the woken map alone. */
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
  china: { es: 'Ver China', en: 'Show China' },
  pause: { es: 'Pausar animación', en: 'Pause animation' },
  resume: { es: 'Reanudar animación', en: 'Resume animation' },
  twoFingers: { es: 'Use dos dedos para mover el mapa', en: 'Use two fingers to move the map' },
  withCtrl: { es: 'Use Ctrl y la rueda para acercar', en: 'Use Ctrl and the wheel to zoom' },
  source: 'Costas: Natural Earth',
  more: {
    origin: { es: 'Vuelo directo a CGO', en: 'Direct flight to CGO' },
    hub: { es: 'Aduana y conexión por aire o carretera', en: 'Customs and connection by air or road' },
  },
} as const;

export const network = {
  title: { es: 'Red Logística China 2025', en: 'China Logistics Network 2025' },
  subtitle: {
    es: 'Todo vuelo aterriza en Zhengzhou; de ahí su carga se distribuye al interior de China por aire o por carretera.',
    en: 'Every flight lands in Zhengzhou; from there your cargo is distributed inside China by air or road.',
  },
  arrivals: 'Vuelos de México',
  active: { es: 'Rutas Activas', en: 'Active routes' },
  stats: [
    { figure: `${claims.hubs}`, text: { es: 'destinos en China', en: 'China destinations' } },
    {
      figure: claims.distribution.replace('\u00a0', ''),
      text: { es: 'distribución interna', en: 'internal distribution' },
    },
  ],
  legend: {
    title: { es: 'Modalidades de Transporte', en: 'Transport modes' },
    from: 'De CGO a',
    note: { es: 'Las líneas animadas son rutas activas.', en: 'Animated lines are active routes.' },
  },
  modes: [
    {
      kind: 'air-perishable',
      name: { es: 'Aéreo (Perecederos)', en: 'Air (perishables)' },
      to: ['PEK', 'PVG', 'XMN', 'SZX', 'CAN'],
    },
    {
      kind: 'air-general',
      name: { es: 'Aéreo (General)', en: 'Air (general)' },
      to: ['PEK', 'PVG', 'XMN', 'SZX', 'CAN'],
    },
    { kind: 'truck-reefer', name: { es: 'Camión Completo Refrigerado', en: 'Full truck, reefer' }, to: ['PVG'] },
    {
      kind: 'truck-dry',
      name: { es: 'Camión Completo Seco', en: 'Full truck, dry' },
      to: ['PEK', 'XMN', 'CAN', 'SZX'],
    },
    {
      kind: 'truck-shared',
      name: { es: 'Carga Agrupada (LTL)', en: 'Shared load (LTL)' },
      to: ['PEK', 'PVG', 'XMN', 'CAN', 'SZX'],
    },
  ],
  cards: [
    {
      name: { es: 'Rutas Aéreas Internas', en: 'Domestic air routes' },
      text: {
        es: 'De CGO a cinco aeropuertos chinos, con perecederos y carga general en conexiones separadas.',
        en: 'From CGO to five Chinese airports, perishables and general cargo on separate connections.',
      },
    },
    {
      name: { es: 'Distribución Terrestre', en: 'Ground distribution' },
      text: {
        es: `Camión completo o carga agrupada a ${claims.cities} ciudades dentro de ${claims.distribution}.`,
        en: `Full truck or shared load to ${claims.cities} cities within ${claims.distribution}.`,
      },
    },
    {
      name: { es: 'Puntos Estratégicos México', en: 'Strategic points in Mexico' },
      text: {
        es: 'Salidas por Tijuana, AIFA y Cancún, cerca del campo, la planta y el puerto.',
        en: 'Departures from Tijuana, AIFA and Cancun, close to field, plant and port.',
      },
    },
  ],
} as const;
