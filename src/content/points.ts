export const MODES = ['air-perishable', 'air-general', 'truck-reefer', 'truck-dry', 'truck-shared'] as const;
export type Mode = (typeof MODES)[number];

interface Place {
  readonly code: string;
  readonly name: string;
  readonly lat: number;
  readonly lng: number;
  /** Name for sentences, if shippers call the place by another name than `name`. */
  readonly called?: string;
}

export type NetworkPoint = Place &
  ({ readonly type: 'origin' | 'hub' } | { readonly type: 'destination'; readonly by: readonly Mode[] });

const ALL_BUT_REEFER = ['air-perishable', 'air-general', 'truck-dry', 'truck-shared'] as const;

const ALL_BUT_DRY = ['air-perishable', 'air-general', 'truck-reefer', 'truck-shared'] as const;

export const points: readonly NetworkPoint[] = [
  { code: 'TIJ', name: 'Tijuana', lat: 32.541, lng: -116.97, type: 'origin' },
  { code: 'AIFA', name: 'Ciudad de México', lat: 19.746, lng: -99.009, type: 'origin', called: 'AIFA' },
  { code: 'CUN', name: 'Cancún', lat: 21.037, lng: -86.877, type: 'origin' },
  { code: 'CGO', name: 'Zhengzhou', lat: 34.52, lng: 113.841, type: 'hub' },
  { code: 'PEK', name: 'Beijing', lat: 40.08, lng: 116.585, type: 'destination', by: ALL_BUT_REEFER },
  { code: 'PVG', name: 'Shanghai', lat: 31.143, lng: 121.805, type: 'destination', by: ALL_BUT_DRY },
  { code: 'XMN', name: 'Xiamen', lat: 24.544, lng: 118.128, type: 'destination', by: ALL_BUT_REEFER },
  { code: 'CAN', name: 'Guangzhou', lat: 23.392, lng: 113.299, type: 'destination', by: ALL_BUT_REEFER },
  { code: 'SZX', name: 'Shenzhen', lat: 22.639, lng: 113.811, type: 'destination', by: ALL_BUT_REEFER },
];

export const origins = points.filter(({ type }) => type === 'origin');
export const hub = points.find(({ type }) => type === 'hub')!;
export const destinations = points.filter((point) => point.type === 'destination');

/** Number of places in China to which cargo is delivered: the destinations and Zhengzhou. */
export const hubs = destinations.length + 1;

export const reachedBy = (mode: Mode): readonly string[] =>
  destinations.filter(({ by }) => by.includes(mode)).map(({ code }) => code);
