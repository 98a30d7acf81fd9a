import { destinations, hub, MODES, origins, type Mode, type NetworkPoint } from '../content/points.ts';
import { greatCircle, type Position } from './great-circle.ts';
import { inFrame } from './outline.ts';

export interface Route {
  readonly id: string;
  readonly mode: Mode;
  readonly from: NetworkPoint;
  readonly to: NetworkPoint;
  readonly path: Position[];
}

export interface LineStyle {
  readonly colour: string;
  readonly weight: number;
  /** Lengths of dash and gap. They distinguish the modes of transport without colour. */
  readonly dash?: string;
}

export const lines: Record<Mode, LineStyle> = {
  'air-perishable': { colour: 'var(--accent)', weight: 3 },
  'air-general': { colour: 'var(--ink)', weight: 2 },
  'truck-reefer': { colour: 'var(--arrived)', weight: 2.5, dash: '9 5' },
  'truck-dry': { colour: 'var(--waits)', weight: 2, dash: '9 4 2 4' },
  'truck-shared': { colour: 'var(--quiet)', weight: 2, dash: '2 4' },
};

type Destination = (typeof destinations)[number];

/** Largest distance between two parallel lines to a destination, in degrees. */
const LANE = 0.36;
/**
 * Difference in degrees below which two destinations count as being in the same direction. Their lines then lie side by
 * side, each in its own lane.
 */
const SAME_DIRECTION = 10;
const STEPS = 12;
const FLIGHT_STEPS = 48;

export const routes: readonly Route[] = MODES.flatMap((mode) =>
  destinations
    .filter(({ by }) => by.includes(mode))
    .map((to) => route(mode, to, firstLane(to) + MODES.filter((each) => to.by.includes(each)).indexOf(mode))),
);

/**
 * Returns the lane of a destination's first line. Lanes are numbered from the middle, so that the lines of one
 * direction lie on both sides of the straight line.
 */
function firstLane(point: Destination): number {
  const group = destinations
    .filter((other) => Math.abs(directionOf(other) - directionOf(point)) < SAME_DIRECTION)
    .toSorted((one, other) => directionOf(one) - directionOf(other));
  const count = (some: readonly Destination[]) => some.reduce((sum, { by }) => sum + by.length, 0);
  return count(group.slice(0, group.indexOf(point))) - (count(group) - 1) / 2;
}

/** Returns the direction as seen from the hub, in degrees anticlockwise from east. */
function directionOf({ lat, lng }: Position): number {
  return (Math.atan2(lat - hub.lat, lng - hub.lng) * 180) / Math.PI;
}

export const flights: readonly Position[][] = origins.map(({ lat, lng }) =>
  greatCircle({ lat, lng: inFrame(lng) }, hub, FLIGHT_STEPS),
);

function route(mode: Mode, to: NetworkPoint, lane: number): Route {
  const way = mode.startsWith('air') ? greatCircle(hub, to, STEPS) : straight(hub, to);
  const [north, east] = [to.lat - hub.lat, to.lng - hub.lng];
  const length = Math.hypot(north, east);
  const path = way.map(({ lat, lng }, step) => {
    const part = step / STEPS;
    const aside = 4 * part * (1 - part) * lane * LANE;
    return { lat: lat + (aside * east) / length, lng: lng - (aside * north) / length };
  });
  return { id: `${mode}-${to.code}`, mode, from: hub, to, path };
}

function straight(from: Position, to: Position): Position[] {
  return Array.from({ length: STEPS + 1 }, (_, step) => ({
    lat: from.lat + ((to.lat - from.lat) * step) / STEPS,
    lng: from.lng + ((to.lng - from.lng) * step) / STEPS,
  }));
}
