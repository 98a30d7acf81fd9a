/** Event of a calendar file. Times are instants; the description tells the local hour. */
export interface CalendarEvent {
  /** Id that all versions of the event share: a later file with a higher sequence replaces the earlier event. */
  readonly uid: string;
  readonly sequence: number;
  readonly start: number;
  readonly end: number;
  readonly summary: string;
  readonly description: string;
  /** Minutes before the start at which the calendar reminds. */
  readonly alarm: number;
}

const MOST_OCTETS = 75;

/**
 * Writes an iCalendar file (RFC 5545) with times in UTC. Local times would need a VTIMEZONE, which becomes outdated and
 * has special rules in Outlook.
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

/** Instant in UTC: 20261206T093000Z. */
const instant = (at: number) => new Date(at).toISOString().replaceAll(/[-:]/g, '').replace(/\.\d+/, '');

/** Text of a property. The backslash comes first, because the other escapes add backslashes. */
const escaped = (text: string) =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll(/[;,]/g, '\\$&')
    .replaceAll(/\r\n?|\n/g, '\\n')
    // Other control characters are not allowed in a text.
    .replaceAll(/(?!\t)\p{Cc}/gu, ' ');

const utf8 = new TextEncoder();

/**
 * Breaks a line after at most 75 octets, never inside a character. Each continuation line begins with a space, which
 * counts as an octet.
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
