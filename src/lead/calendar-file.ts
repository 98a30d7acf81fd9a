/** Event of a calendar file. Its times are in UTC; the description contains the local time as text. */
export interface CalendarEvent {
  /** Id of the event. If a later file has the same id and a higher sequence, the calendar replaces the event. */
  readonly uid: string;
  readonly sequence: number;
  readonly start: number;
  readonly end: number;
  readonly summary: string;
  readonly description: string;
  /** Minutes before the start at which the calendar shows a reminder. */
  readonly alarm: number;
}

const MOST_OCTETS = 75;

/**
 * Returns an iCalendar file (RFC 5545) with times in UTC. Local times would need a VTIMEZONE, whose rules become
 * outdated, and Outlook reads them in its own way.
 */
export function calendarFile(events: readonly CalendarEvent[], now: number): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//AeroPuente//Embarques//ES',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    ...events.flatMap(({ uid, sequence, start, end, summary, description, alarm }) => [
      'BEGIN:VEVENT',
      `UID:${uid}`,
      `SEQUENCE:${sequence}`,
      `DTSTAMP:${instant(now)}`,
      `DTSTART:${instant(start)}`,
      `DTEND:${instant(end)}`,
      `SUMMARY:${escaped(summary)}`,
      `DESCRIPTION:${escaped(description)}`,
      'BEGIN:VALARM',
      'ACTION:DISPLAY',
      `DESCRIPTION:${escaped(summary)}`,
      `TRIGGER:-PT${alarm}M`,
      'END:VALARM',
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

/** Formats a time in UTC: 20261206T093000Z. */
const instant = (at: number) => new Date(at).toISOString().replaceAll(/[-:]/g, '').replace(/\.\d+/, '');

/** Escapes a text. Backslashes are escaped first, because the other escapes add backslashes. */
const escaped = (text: string) =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll(/[;,]/g, '\\$&')
    .replaceAll(/\r\n?|\n/g, '\\n')
    // Apart from the tab, iCalendar allows no control characters in a text.
    .replaceAll(/(?!\t)\p{Cc}/gu, ' ');

const utf8 = new TextEncoder();

/**
 * Splits a line into lines of at most 75 bytes, as RFC 5545 requires, but never inside a character. Each line after the
 * first begins with a space, which counts as a byte.
 */
function folded(line: string): string {
  let text = '';
  let octets = 0;
  for (const character of line) {
    const length = utf8.encode(character).length;
    if (octets + length > MOST_OCTETS) {
      text += '\r\n ';
      octets = 1;
    }
    text += character;
    octets += length;
  }
  return text;
}
