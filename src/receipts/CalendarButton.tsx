import { calendarWords } from '../content/calendar.ts';
import type { CalendarEvent } from '../lead/calendar-file.ts';
import { saveCalendar } from '../ui/save-calendar.ts';
import { ActionLabel } from './ActionLabel.tsx';

interface Props {
  readonly folio: string;
  readonly events: readonly CalendarEvent[];
}

export function CalendarButton({ folio, events }: Props) {
  return (
    events.length > 0 && (
      <button className="button plain" type="button" onClick={() => saveCalendar(folio, events)}>
        <ActionLabel text={calendarWords.add} />
      </button>
    )
  );
}
