import { network, points, type NetworkPoint } from '../content/network.ts';
import { greatCircle, type Place } from './great-circle.ts';
import { inFrame } from './outline.ts';

export type Mode = (typeof network.modes)[number]['kind'];

export interface Route {
  readonly id: string;
  readonly mode: Mode;
  readonly from: NetworkPoint;
  readonly to: NetworkPoint;
  readonly path: Place[];
}

export interface Line {
  readonly colour: string;
  readonly weight: number;
  /** Lengths of ink and gap: the five can be told apart in grey. */
  readonly dash?: string;
}

export const lines: Record<Mode, Line> = {
  'air-perishable': { colour: 'var(--accent)', weight: 3 },
  'air-general': { colour: 'var(--ink)', weight: 2 },
  'truck-reefer': { colour: 'var(--arrived)', weight: 2.5, dash: '9 5' },
  'truck-dry': { colour: 'var(--waits)', weight: 2, dash: '9 4 2 4' },
  'truck-shared': { colour: 'var(--quiet)', weight: 2, dash: '2 4' },
};

/** The lines of a destination lie side by side, so many degrees apart where they are widest. */
const LANE = 0.36;
/** Where nothing is in the way, they lie on both sides of the straight line. */
const FIRST_LANE = -1.5;
const STEPS = 12;
const FLIGHT_STEPS = 48;

export const hub = points.find(({ type }) => type === 'hub')!;

export const routes: readonly Route[] = network.modes.flatMap(({ kind, to }, place) =>
  to.map((code) => {
    const earlier = network.modes
      .slice(0, place)
      .filter((mode) => (mode.to as readonly string[]).includes(code)).length;
    const point = points.find((candidate) => candidate.code === code)!;
    return route(kind, point, earlier + (point.firstLane ?? FIRST_LANE));
  }),
);

/** From the Mexican ports to the hub. */
export const flights: readonly Place[][] = points
  .filter(({ type }) => type === 'origin')
  .map(({ lat, lng }) => greatCircle({ lat, lng: inFrame(lng) }, hub, FLIGHT_STEPS));

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

function straight(from: Place, to: Place): Place[] {
  return Array.from({ length: STEPS + 1 }, (_, step) => ({
    lat: from.lat + ((to.lat - from.lat) * step) / STEPS,
    lng: from.lng + ((to.lng - from.lng) * step) / STEPS,
  }));
}
