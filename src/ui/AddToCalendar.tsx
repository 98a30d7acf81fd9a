import { calendarWords } from '../content/calendar.ts';
import { calendarFile, type CalendarEvent } from '../lead/calendar-file.ts';
import { Button } from './Button.tsx';
import { download } from './download.ts';

interface Props {
  /** Name of the file, without its ending. */
  readonly name: string;
  readonly events: readonly CalendarEvent[];
}

/** Button that saves the coming events as a calendar file, which the browser makes without signal. */
export function AddToCalendar({ name, events }: Props) {
  const save = () => {
    const now = Date.now();
    const coming = events.filter(({ end }) => end > now);
    download(`${name}.ics`, 'text/calendar;charset=utf-8', [calendarFile(coming.length > 0 ? coming : events, now)]);
  };
  return events.length > 0 && <Button words={calendarWords.add} onClick={save} />;
}
