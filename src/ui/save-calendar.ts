import { calendarFile, type CalendarEvent } from '../lead/calendar-file.ts';
import { download } from './download.ts';

/** Saves the events that are not over as a calendar file. The browser makes the file, so this works without signal. */
export function saveCalendar(name: string, events: readonly CalendarEvent[]): void {
  const now = Date.now();
  const coming = events.filter(({ end }) => end > now);
  download(`${name}.ics`, 'text/calendar;charset=utf-8', [calendarFile(coming.length > 0 ? coming : events, now)]);
}
