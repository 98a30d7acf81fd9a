import * as z from 'zod/mini';
import { TRANSIT_HOURS } from './promise.ts';
import { isRecord, oneOf, readShape, readValidParts, timestamp, type Valid } from './validation.ts';

// Booked shipments: flight, milestones and time zones. The database allows the same milestones and zones; a test
// compares them.

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
/** Milestones, and 'detenida' for a delay, which can occur between any two milestones. */
export const STEPS = [...JOURNEY, 'detenida'] as const;
export type Step = (typeof STEPS)[number];
/** Codes that the database stores: the milestones, and 'anulada', which cancels an earlier milestone. */
export const STEP_CODES = [...STEPS, 'anulada'] as const;
export type StepCode = (typeof STEP_CODES)[number];

export const AIRPORTS = ['TIJ', 'AIFA', 'CUN'] as const;
export type Airport = (typeof AIRPORTS)[number];
export type ShipmentPlace = Airport | 'CGO';

export const ZONES: Readonly<Record<ShipmentPlace, string>> = {
  TIJ: 'America/Tijuana',
  AIFA: 'America/Mexico_City',
  CUN: 'America/Cancun',
  CGO: 'Asia/Shanghai',
};

/** Pattern of a flight number: two characters for the airline and up to four digits. */
const FLIGHT = /^[A-Z0-9]{2}\d{1,4}$/;

/** Reads the number of a flight: 'cz 8412' becomes CZ8412. */
export function readFlight(typed: string): string | undefined {
  const flight = typed.replaceAll(/[\s-]/g, '').toUpperCase();
  return FLIGHT.test(flight) ? flight : undefined;
}

const stepShape = {
  id: z.string(),
  step: oneOf(STEPS),
  at: timestamp,
};
const stepParts = { word: z.string(), waste: z.number() };
export type Milestone = Valid<typeof stepShape> & Partial<Valid<typeof stepParts>>;

const flightParts = {
  flight: z.string(),
  day: z.string(),
  origin: oneOf(AIRPORTS),
  waybill: z.string(),
};
export const FLIGHT_TIMES = ['pickup', 'cutoff', 'departs', 'arrives'] as const;
export type FlightTime = (typeof FLIGHT_TIMES)[number];
/** Times of a shipment: the four of the flight, and the time of the last change. */
const TIMES = [...FLIGHT_TIMES, 'changed'] as const;

export type Shipment = Partial<Valid<typeof flightParts>> & {
  readonly [Time in (typeof TIMES)[number]]?: number;
} & {
  /** Milestones in order of their times. */
  readonly steps: readonly Milestone[];
};

/** Reads the shipment of an answer from the server or from disk; undefined while nothing is known about it. */
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
      if (!isRecord(row)) return [];
      const step = readShape(stepShape, { ...row, at: Date.parse(String(row['at'])) });
      return step ? { ...step, ...readValidParts(stepParts, row) } : [];
    }),
  };
}

/**
 * Returns the place of a milestone: the airport of origin before the arrival ('llegada'), Zhengzhou from then on. A
 * delay happens at the place of the milestone before it.
 */
export function placeOf(milestone: Pick<Milestone, 'step'>, { origin = 'TIJ', steps }: Shipment): ShipmentPlace {
  const { step } = milestone;
  if (step !== 'detenida') return JOURNEY.indexOf(step) < JOURNEY.indexOf('llegada') ? origin : 'CGO';
  const earlierSteps = steps.slice(0, Math.max(0, steps.indexOf(milestone as Milestone)));
  const last = earlierSteps.findLast((each) => each.step !== 'detenida');
  return last ? placeOf(last, { origin, steps }) : origin;
}

const HOUR = 3_600_000;

/** Returns the expected arrival: that of the flight or, if it is unknown, the departure plus the promised hours. */
export const arrivalOf = ({ departs, arrives }: Shipment): number | undefined =>
  arrives ?? (departs === undefined ? undefined : departs + TRANSIT_HOURS * HOUR);

/**
 * Returns the part of the way to Zhengzhou that a shipment has covered, from 0 to 1. During the flight it is computed
 * from the clock.
 */
export function flownPart(shipment: Shipment, now: number): number {
  const timeOf = (step: Step) => shipment.steps.find((each) => each.step === step)?.at;
  const last = shipment.steps.findLast(({ step }) => step !== 'detenida')?.step;
  if (!last || last === 'detenida') return 0;
  if (last !== 'envuelo') return JOURNEY.indexOf(last) < JOURNEY.indexOf('llegada') ? 0 : 1;
  const left = timeOf('envuelo')!;
  const arrival = Math.max(arrivalOf({ ...shipment, departs: left }) ?? 0, left + HOUR);
  return Math.min(0.95, Math.max(0.05, (now - left) / (arrival - left)));
}

/** Formats of local times. The locale is Swedish because it writes dates in ISO format. */
const local = Object.fromEntries(
  Object.values(ZONES).map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone }),
  ]),
);

/** Returns the local time of a place in the format of a date field: 2026-12-06T09:30. */
export const localTime = (at: number, place: ShipmentPlace): string =>
  local[ZONES[place]]!.format(at).replace(' ', 'T');

/**
 * Converts a local time, such as 2026-12-06T09:30, to an instant; undefined if the text is not a time or the clocks
 * skip that time. If the clocks show that time twice, the first instant is returned.
 */
export function instantOf(typed: string, place: ShipmentPlace): number | undefined {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)$/.exec(typed) ?? [];
  const wall = Date.parse(`${day}T${time}Z`);
  if (Number.isNaN(wall)) return undefined;
  // The zone's offset is looked up at two times, because the instant is not known yet: 14 hours before and after the
  // typed time, read as UTC. The instant lies between these, because no zone differs from UTC by more than 14 hours.
  const candidates = [-14, 14].map((hours) => {
    const near = wall + hours * HOUR;
    return wall - (Date.parse(`${localTime(near, place)}Z`) - near);
  });
  return candidates.toSorted((one, other) => one - other).find((at) => localTime(at, place) === `${day}T${time}`);
}
