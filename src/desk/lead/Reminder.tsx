import { useState } from 'react';
import { mainWords } from '../../content/bilingual.ts';
import { dateInWords } from '../../content/dates.ts';
import { deskReminders as words } from '../../content/desk-reminders.ts';
import { dayInTijuana, timeInTijuana, timeZone } from '../../lead/tijuana.ts';
import { Button, Buttons, Chip } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { useStore } from '../../ui/store.ts';
import { dayAhead } from '../answer/last-offers.ts';
import type { ActionResult } from '../api/action-result.ts';
import { announceResult } from '../announcements.ts';
import { useDesk } from '../context.ts';
import type { Lead } from './lead.ts';
import styles from './LeadSheet.module.css';
import { forgetReminder, remind, reminders } from './reminders.ts';
import { SubForm } from './SubForm.tsx';

const HOUR = 3_600_000;
const MONDAY = 1;

interface Props {
  readonly lead: Lead;
  readonly busy: boolean;
  readonly act: (work: () => Promise<ActionResult>) => void;
}

/** Reminder of the lead; the owner sees a button that removes it. */
export function SetReminder({ lead, isMine, busy, act }: Props & { readonly isMine: boolean }) {
  const { now } = useDesk();
  const set = useStore(reminders).get(lead.quote_id);
  if (!set) return null;
  return (
    <div className={`${styles['acts']} ${styles['reminder']}`}>
      <p>{mainWords(words.at(dateInWords(Date.parse(set.at), now)))}</p>
      {isMine && <Button words={words.remove} aria-busy={busy} onClick={() => act(() => forgetReminder(lead))} />}
    </div>
  );
}

interface FormProps extends Props {
  /** Last day of the open offer. */
  readonly expires: string | null | undefined;
  readonly onClose: () => void;
}

/** Form that sets a reminder: three presets, the last day of the offer, or a typed time. */
export function ReminderForm({ lead, expires, busy, act, onClose }: FormProps) {
  const { now } = useDesk();
  const [day, setDay] = useState(() => dayInTijuana(now));
  const [time, setTime] = useState('');
  const set = (moment: Parameters<typeof remind>[1]) =>
    act(async () => {
      const result = await remind(lead, moment);
      if (result.kind === 'done') onClose();
      return result;
    });
  const at = (text: string) => set({ why: 'fecha', at: text });
  const nine = (days: number) => at(`${dayAhead(days)} 09:00 ${timeZone}`);
  const untilMonday = (7 + MONDAY - new Date(`${dayInTijuana(now)}T12:00Z`).getUTCDay()) % 7 || 7;
  // The choice 'last day of the offer' reminds at 9:00. On the last day itself, the choice is offered only before 9:00.
  const isAhead = expires && `${expires} 09:00` > `${dayInTijuana(now)} ${timeInTijuana(now)}`;
  return (
    <SubForm
      title={words.open}
      send={words.open}
      busy={busy}
      // A time is required: without one the database would take the beginning of the day.
      onSend={() =>
        time ? at(`${day} ${time} ${timeZone}`) : announceResult(lead, { kind: 'refused', says: words.bad })
      }
      onCancel={onClose}
    >
      <Buttons>
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the person pressed 'Recordar' to get these buttons */}
        <Chip autoFocus onClick={() => at(new Date(now + HOUR).toISOString())}>
          {mainWords(words.hour)}
        </Chip>
        <Chip onClick={() => nine(1)}>{mainWords(words.tomorrow)}</Chip>
        {untilMonday > 1 && <Chip onClick={() => nine(untilMonday)}>{mainWords(words.monday)}</Chip>}
        {isAhead && <Chip onClick={() => set({ why: 'vence' })}>{mainWords(words.expires)}</Chip>}
      </Buttons>
      <TextField label={words.day} type="date" min={dayInTijuana(now)} value={day} onChange={setDay} />
      <TextField label={words.time} type="time" value={time} onChange={setTime} />
    </SubForm>
  );
}
