import * as z from 'zod/mini';
import { isRecord, oneOf, readShape, readValidParts, type Valid } from './validation.ts';

// Booked shipments: flight, milestones and the zones of their times. The database has the same words and zones; tests
// compare them.

/** Milestones in the order of the journey. */
export const JOURNEY = [
  'recolectada',
  'recibida',
  'envuelo',
  'llegada',
  'aduana',
  'liberada',
  'encamino',
  'entregada',
] as const;
/** Milestones with 'detenida', a delay, which has no place in the order. */
export const STEPS = [...JOURNEY, 'detenida'] as const;
export type Step = (typeof STEPS)[number];
/** Milestones with 'anulada', which takes one back. */
export const STEP_CODES = [...STEPS, 'anulada'] as const;
export type StepCode = (typeof STEP_CODES)[number];

export const AIRPORTS = ['TIJ', 'AIFA', 'CUN'] as const;
type Airport = (typeof AIRPORTS)[number];
export type ShipmentPlace = Airport | 'CGO';

export const ZONES: Readonly<Record<ShipmentPlace, string>> = {
  TIJ: 'America/Tijuana',
  AIFA: 'America/Mexico_City',
  CUN: 'America/Cancun',
  CGO: 'Asia/Shanghai',
};

const stepShape = {
  id: z.string(),
  step: oneOf(STEPS),
  at: z.pipe(
    z.string(),
    z.transform((text) => Date.parse(text)),
  ),
};
const stepParts = { word: z.string(), waste: z.number() };
export type Milestone = Valid<typeof stepShape> & Partial<Valid<typeof stepParts>>;

const flightParts = {
  flight: z.string(),
  day: z.string(),
  origin: oneOf(AIRPORTS),
  waybill: z.string(),
};
const TIMES = ['pickup', 'cutoff', 'departs', 'arrives'] as const;
export type FlightTime = (typeof TIMES)[number];

export type Shipment = Partial<Valid<typeof flightParts>> & {
  readonly [Time in FlightTime]?: number;
} & {
  /** Milestones in order of their times. */
  readonly steps: readonly Milestone[];
};

/** Reads the shipment of an answer, as the server or the disk has it; undefined before anything is known. */
export function readShipment(track: unknown): Shipment | undefined {
  if (!isRecord(track)) return undefined;
  const steps = Array.isArray(track['steps']) ? track['steps'] : [];
  const times = TIMES.flatMap((time) => {
    const at = Date.parse(String(track[time]));
    return Number.isNaN(at) ? [] : [[time, at] as const];
  });
  return {
    ...readValidParts(flightParts, track),
    ...Object.fromEntries(times),
    steps: steps.flatMap((row: unknown) => {
      const step = readShape(stepShape, row);
      return step && isRecord(row) ? { ...step, ...readValidParts(stepParts, row) } : [];
    }),
  };
}

/** Place of a milestone: the origin until the flight, then Zhengzhou. A delay is where the milestone before it was. */
export function placeOf(milestone: Pick<Milestone, 'step'>, { origin = 'TIJ', steps }: Shipment): ShipmentPlace {
  const { step } = milestone;
  if (step !== 'detenida') return JOURNEY.indexOf(step) < JOURNEY.indexOf('llegada') ? origin : 'CGO';
  const before = steps.slice(0, Math.max(0, steps.indexOf(milestone as Milestone)));
  const last = before.findLast((each) => each.step !== 'detenida');
  return last ? placeOf(last, { origin, steps }) : origin;
}

/** Swedish locale, because its dates have the ISO format. */
const local = Object.fromEntries(
  Object.values(ZONES).map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone }),
  ]),
);

/** Local time of a place, as a field has it: 2026-12-06T09:30. */
export const localTime = (at: number, place: ShipmentPlace): string =>
  local[ZONES[place]]!.format(at).replace(' ', 'T');
