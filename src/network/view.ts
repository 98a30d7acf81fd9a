import type { Position } from './great-circle.ts';

/**
 * First view of the map. The still picture shows the same part at the same scale, so nothing moves when the map
 * replaces it.
 */
export const opening = { lat: 34, lng: 113, zoom: 4 } as const;
/** Buttons that were pressed before the map was ready. */
export interface ButtonPresses {
  readonly away: boolean;
  /** Number of zoom steps; negative if the visitor zoomed out. */
  readonly steps: number;
  readonly last?: MapButton;
}
/** Button of the map: zoom in, zoom out, or change the view. */
export type MapButton = 1 | -1 | 'view';

export const MIN_ZOOM = 2;
export const MAX_ZOOM = 18;

/** Position of the note about arriving flights. */
export const arrivalsAt: Position = { lat: 47, lng: 121.4 };

const WORLD = 256 * 2 ** opening.zoom;

/** Returns a position in the still picture, in pixels from its centre (Web Mercator). */
export function placeInStill({ lat, lng }: Position): { x: number; y: number } {
  return {
    x: ((lng - opening.lng) * WORLD) / 360,
    y: ((northing(opening.lat) - northing(lat)) * WORLD) / (2 * Math.PI),
  };
}

const northing = (lat: number) => Math.asinh(Math.tan((lat * Math.PI) / 180));
