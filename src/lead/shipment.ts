import * as z from 'zod/mini';
import { TRANSIT_HOURS } from './promise.ts';
import { isRecord, oneOf, readShape, readValidParts, timestamp, type Valid } from './validation.ts';

// Booked shipments: flight, milestones and the zones of their times. The check constraints of the database allow the
// same milestones and zones; tests compare both lists.

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
/** Milestones, and 'detenida' for a delay, which can happen anywhere in the order. */
export const STEPS = [...JOURNEY, 'detenida'] as const;
export type Step = (typeof STEPS)[number];
/** Codes of rows: the milestones, and 'anulada', which takes a milestone back. */
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

/** Number and day of a flight: two characters of the airline and up to four digits. */
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
/** Times of a flight. */
export const FLIGHT_TIMES = ['pickup', 'cutoff', 'departs', 'arrives'] as const;
export type FlightTime = (typeof FLIGHT_TIMES)[number];
/** Times in a row: the four of the flight, and the time at which the row was written. */
const TIMES = [...FLIGHT_TIMES, 'changed'] as const;

export type Shipment = Partial<Valid<typeof flightParts>> & {
  readonly [Time in (typeof TIMES)[number]]?: number;
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
      if (!isRecord(row)) return [];
      const step = readShape(stepShape, { ...row, at: Date.parse(String(row['at'])) });
      return step ? { ...step, ...readValidParts(stepParts, row) } : [];
    }),
  };
}

/**
 * Place of a milestone: the origin until the flight, then Zhengzhou. A delay has the place of the milestone before it.
 */
export function placeOf(milestone: Pick<Milestone, 'step'>, { origin = 'TIJ', steps }: Shipment): ShipmentPlace {
  const { step } = milestone;
  if (step !== 'detenida') return JOURNEY.indexOf(step) < JOURNEY.indexOf('llegada') ? origin : 'CGO';
  const before = steps.slice(0, Math.max(0, steps.indexOf(milestone as Milestone)));
  const last = before.findLast((each) => each.step !== 'detenida');
  return last ? placeOf(last, { origin, steps }) : origin;
}

const HOUR = 3_600_000;

/** Expected arrival: the flight's own time; if unknown, its departure plus the promised hours. */
export const arrivalOf = ({ departs, arrives }: Shipment): number | undefined =>
  arrives ?? (departs === undefined ? undefined : departs + TRANSIT_HOURS * HOUR);

/**
 * Part of the way from Tijuana to Zhengzhou that a shipment has flown, 0 to 1. During the flight it is computed from
 * the clock.
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

/** Swedish locale, because its dates have the ISO format. */
const local = Object.fromEntries(
  Object.values(ZONES).map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone }),
  ]),
);

/** Local time of a place, in the format of a date field: 2026-12-06T09:30. */
export const localTime = (at: number, place: ShipmentPlace): string =>
  local[ZONES[place]]!.format(at).replace(' ', 'T');

/**
 * Instant of a local time, such as 2026-12-06T09:30; undefined if the text is not a time, or if clocks skip it. If
 * clocks show it twice, the first instant.
 */
export function instantOf(typed: string, place: ShipmentPlace): number | undefined {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)$/.exec(typed) ?? [];
  const wall = Date.parse(`${day}T${time}Z`);
  if (Number.isNaN(wall)) return undefined;
  // No zone is further than 14 hours from UTC.
  const candidates = [-14, 14].map((hours) => {
    const near = wall + hours * HOUR;
    return wall - (Date.parse(`${localTime(near, place)}Z`) - near);
  });
  return candidates.toSorted((one, other) => one - other).find((at) => localTime(at, place) === `${day}T${time}`);
}
