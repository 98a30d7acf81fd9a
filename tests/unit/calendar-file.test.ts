import ICAL from 'ical.js';
import { convertIcsCalendar } from 'ts-ics';
import { describe, expect, test } from 'vitest';
import { shipmentEvents, validityEvent } from '../../src/content/calendar.ts';
import { calendarFile, type CalendarEvent } from '../../src/lead/calendar-file.ts';
import { instantOf, readShipment } from '../../src/lead/shipment.ts';

const NOW = Date.parse('2026-11-28T12:00:00Z');
const FOLIO = 'AP-5D7E-JYAM';

/** Returns the events of a calendar file as two independent parsers read them. */
function readBoth(file: string) {
  const events = new ICAL.Component(ICAL.parse(file)).getAllSubcomponents('vevent').map((component) => {
    const { uid, sequence, summary, description, startDate, endDate } = new ICAL.Event(component);
    const [start, end] = [startDate, endDate].map((date) => date.toJSDate().getTime());
    return { uid, sequence, start, end, summary, description };
  });
  const others = convertIcsCalendar(undefined, file).events!.map((event) => {
    const { uid, sequence, summary, description } = event;
    return { uid, sequence, start: event.start.date.getTime(), end: event.end!.date.getTime(), summary, description };
  });
  return { events, others };
}

const sample = (changes: Partial<CalendarEvent> = {}): CalendarEvent => ({
  uid: `${FOLIO}-cutoff@aeropuente`,
  sequence: 7,
  start: Date.parse('2026-12-06T17:30:00Z'),
  end: Date.parse('2026-12-06T18:00:00Z'),
  summary: 'Cierre',
  description: 'Hora',
  alarm: 120,
  ...changes,
});

test('two independent parsers read the calendar file’s times, escapes and long lines correctly', () => {
  const event = sample({
    summary: `Fresa; aguacate, y "berries" \\ fin: ${'ñ🍓'.repeat(40)}`,
    description: 'Primera línea\nsegunda; tercera, \\n no es salto\nfin',
  });
  const { alarm: _, ...expected } = event;
  const { events, others } = readBoth(calendarFile([event], NOW));
  expect(events).toEqual([expected]);
  expect(others).toEqual([expected]);
});

test('lines of a calendar file end in CRLF, and are folded at 75 octets between characters', () => {
  const file = calendarFile([sample({ description: '🍓ñ王'.repeat(200) })], NOW);
  expect(file.endsWith('END:VCALENDAR\r\n')).toBe(true);
  expect(file.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  for (const line of file.split('\r\n')) {
    expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75);
    expect(line.isWellFormed()).toBe(true);
  }
});

test('a text with line breaks or control characters cannot add a property to the calendar file', () => {
  const evil = 'Hola\r\nEND:VEVENT\nATTENDEE:mailto:x@example.com\u0000\u001b[31m';
  const file = calendarFile([sample({ summary: evil, description: evil })], NOW);
  expect(file.match(/^END:VEVENT/gm)).toHaveLength(1);
  expect(file).not.toMatch(/^ATTENDEE/m);
  expect(readBoth(file).events[0]!.summary).toContain('ATTENDEE:mailto:x@example.com');
});

describe.each([
  ['before clocks go forward', '2027-03-13', '2027-03-13T17:30:00Z', '2027-03-14T08:00:00Z'],
  ['on the day on which clocks go forward', '2027-03-14', '2027-03-14T16:30:00Z', '2027-03-15T07:00:00Z'],
  ['before clocks go back', '2027-11-06', '2027-11-06T16:30:00Z', '2027-11-07T07:00:00Z'],
  ['on the day on which clocks go back', '2027-11-07', '2027-11-07T17:30:00Z', '2027-11-08T08:00:00Z'],
])('%s', (_, day, pickup, midnight) => {
  test('calendar events begin and end at the local times that their descriptions name', () => {
    const changed = Date.parse('2027-03-01T00:00:00Z');
    const at = (time: string) => new Date(instantOf(`${day}T${time}`, 'TIJ')!).toISOString();
    const times = { pickup: at('09:30'), cutoff: at('18:00'), departs: at('22:00') };
    const about = { flight: 'CZ8412', origin: 'TIJ', waybill: '78412345675', changed: new Date(changed).toISOString() };
    const shipment = readShipment({ ...about, ...times })!;
    const file = calendarFile([...shipmentEvents(FOLIO, shipment), ...validityEvent(FOLIO, day, changed)], NOW);
    const { events, others } = readBoth(file);
    expect(others).toEqual(events);
    // No data of the customer is in the file.
    expect(file).not.toMatch(/ATTENDEE|ORGANIZER|LOCATION|mailto/);
    const kinds = ['pickup', 'cutoff', 'arrival', 'validity'];
    expect(events.map(({ uid }) => uid)).toEqual(kinds.map((kind) => `${FOLIO}-${kind}@aeropuente`));
    expect(events[0]!.start).toBe(Date.parse(pickup));
    expect(events[0]!.description).toContain('09:30 (Tijuana)');
    expect(events[0]!.description).toContain('784-12345675');
    // The plane departs 12.5 hours after pick-up, and arrives the promised 17.5 hours after its departure.
    expect(events[2]!.start! - Date.parse(pickup)).toBe((12.5 + 17.5) * 3_600_000);
    expect(events[2]!.description).toMatch(/\(Zhengzhou\)/);
    expect(events[3]!.end).toBe(Date.parse(midnight));
    const later = shipmentEvents(FOLIO, { ...shipment, changed: changed + 60_000 });
    expect(later[0]!.sequence).toBeGreaterThan(events[0]!.sequence);
    expect(later[0]!.uid).toBe(events[0]!.uid);
  });
});
