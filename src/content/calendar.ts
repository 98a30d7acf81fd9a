import type { CalendarEvent } from '../lead/calendar-file.ts';
import { arrivalOf, instantOf, type Shipment, type ShipmentPlace } from '../lead/shipment.ts';
import { waybillInWords } from '../lead/waybill.ts';
import { bothWords, type Bilingual } from './bilingual.ts';
import { shipmentWords, timeAtPlace } from './shipment.ts';

export const calendarWords = {
  add: { es: 'Agregar al calendario', en: 'Add to calendar' },
  expires: { es: 'Vence la oferta', en: 'The offer ends' },
} as const;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const EPOCH = Date.UTC(2026, 0, 1);

interface Facts {
  readonly kind: string;
  readonly at: number;
  readonly place: ShipmentPlace;
  readonly title: Bilingual;
  /** Minutes before the event at which the calendar shows a reminder. */
  readonly alarm: number;
  /** When the event's time was last changed. */
  readonly changed: number;
  readonly more?: readonly string[];
}

function event(folio: string, { kind, at, place, title, alarm, changed, more = [] }: Facts): CalendarEvent {
  return {
    uid: `${folio}-${kind}@aeropuente`,
    // A calendar replaces an event only if the sequence is higher. Here the sequence is the number of minutes from
    // EPOCH to the last change, so each later change has a higher one.
    sequence: Math.max(0, Math.floor((changed - EPOCH) / MINUTE)),
    start: at,
    end: at + HOUR / 2,
    summary: `${bothWords(title)} · ${folio}`,
    description: [bothWords(timeAtPlace(at, place)), ...more].join('\n'),
    alarm,
  };
}

/** Returns pick-up, cut-off and arrival of a shipment as calendar events, if their times are known. */
export function shipmentEvents(folio: string, shipment: Shipment): readonly CalendarEvent[] {
  const { flight, waybill, origin = 'TIJ', pickup, cutoff, changed = EPOCH } = shipment;
  const { times } = shipmentWords;
  const more = [
    flight && `${bothWords(shipmentWords.flight)}: ${flight}`,
    waybill && `${bothWords(shipmentWords.waybill)}: ${waybillInWords(waybill)}`,
  ].flatMap((line) => line || []);
  const kinds = [
    { kind: 'pickup', at: pickup, place: origin, title: times.pickup, alarm: 120 },
    { kind: 'cutoff', at: cutoff, place: origin, title: times.cutoff, alarm: 240 },
    { kind: 'arrival', at: arrivalOf(shipment), place: 'CGO', title: times.arrives, alarm: 120 },
  ] as const;
  return kinds.flatMap(({ at, ...rest }) => (at === undefined ? [] : event(folio, { ...rest, at, changed, more })));
}

/**
 * Returns a calendar event for the last half hour of the offer's last valid day in Tijuana. The event's reminder comes
 * in the morning of that day.
 */
export function validityEvent(folio: string, lastDay: string, changed: number): readonly CalendarEvent[] {
  // The next day is computed from noon, because days have 23 or 25 hours when the clocks change.
  const next = new Date(Date.parse(`${lastDay}T12:00Z`) + DAY).toISOString().slice(0, 10);
  const midnight = instantOf(`${next}T00:00`, 'TIJ');
  if (midnight === undefined) return [];
  const facts = { kind: 'validity', place: 'TIJ', title: calendarWords.expires, alarm: 14 * 60, changed } as const;
  return [event(folio, { ...facts, at: midnight - HOUR / 2 })];
}
