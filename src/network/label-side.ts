import { points, type NetworkPoint } from '../content/points.ts';
import type { Position } from './great-circle.ts';
import { inFrame } from './outline.ts';

/** Returns the side of a point's label, which is away from the nearest other point. */
export function labelSide(point: NetworkPoint): 'west' | 'east' {
  const distance = (other: Position) => Math.hypot(other.lat - point.lat, inFrame(other.lng) - inFrame(point.lng));
  const [nearest] = points.filter((other) => other !== point).toSorted((one, other) => distance(one) - distance(other));
  return inFrame(nearest!.lng) > inFrame(point.lng) ? 'west' : 'east';
}
