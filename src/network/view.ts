import type { Place } from './great-circle.ts';

/** How the map opens. The still picture is drawn to the same scale, so that nothing moves when the map takes over. */
export const opening = { lat: 34, lng: 113, zoom: 4 } as const;
/** The button that was pressed before there was a map. */
export interface Asked {
  readonly away: boolean;
  /** In levels of zoom. */
  readonly steps: number;
  /** Which was pressed last. */
  readonly last?: Pressed;
}
/** Of the buttons of the map: a step of zoom, or what changes the view. */
export type Pressed = 1 | -1 | 'view';

export const MIN_ZOOM = 2;
export const MAX_ZOOM = 18;

/** Beside the flights as they come in. */
export const arrivalsAt: Place = { lat: 47, lng: 121.4 };

const WORLD = 256 * 2 ** opening.zoom;

/** Pixels from the middle of the opening view (Web Mercator). */
export function placeInStill({ lat, lng }: Place): { x: number; y: number } {
  return {
    x: ((lng - opening.lng) * WORLD) / 360,
    y: ((northing(opening.lat) - northing(lat)) * WORLD) / (2 * Math.PI),
  };
}

const northing = (lat: number) => Math.asinh(Math.tan((lat * Math.PI) / 180));
