import { useState } from 'react';
import { mainWords } from '../content/bilingual.ts';
import { dateInWords } from '../content/dates.ts';
import { desk } from '../content/desk.ts';
import { deskReminders as words } from '../content/desk-reminders.ts';
import { dayInTijuana, timeInTijuana, timeZone } from '../lead/tijuana.ts';
import { useStore } from '../ui/store.ts';
import { Act } from './Act.tsx';
import type { Ending } from './actions.ts';
import { Field } from './Field.tsx';
import type { Lead } from './lead.ts';
import styles from './LeadSheet.module.css';
import { forgetReminder, remind, reminders } from './reminders.ts';

interface Props {
  readonly lead: Lead;
  readonly me: string;
  /** The last day of the offer that stands. */
  readonly expires: string | null | undefined;
  readonly now: number;
  readonly tell: (ended: Ending) => void;
}

/** When this lead comes back to its owner. */
export function Reminder({ lead, me, expires, now, tell }: Props) {
  const isMine = lead.assignee === me;
  const set = useStore(reminders).get(lead.quote_id);
  const [isOpen, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [day, setDay] = useState(() => dayInTijuana(now));
  const [time, setTime] = useState('');
  const act = (work: () => Promise<Ending>) => () => {
    if (busy) return;
    setBusy(true);
    void work()
      .then((ended) => {
        tell(ended);
        if (ended.kind === 'done') setOpen(false);
      })
      .finally(() => setBusy(false));
  };
  if (set)
    return (
      <div className={styles['acts']}>
        <p>{mainWords(words.at(dateInWords(Date.parse(set.at), now)))}</p>
        {isMine && <Act words={words.remove} aria-busy={busy} onClick={act(() => forgetReminder(lead))} />}
      </div>
    );
  if (!isMine) return null;
  if (!isOpen)
    return (
      <div className={styles['acts']}>
        <Act words={words.open} onClick={() => setOpen(true)} />
      </div>
    );
  // As the database has it.
  const isAhead = expires && `${expires} 09:00` > `${dayInTijuana(now)} ${timeInTijuana(now)}`;
  return (
    <form
      className={styles['losing']}
      aria-label={mainWords(words.open)}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // The database would take a day alone for its midnight.
        if (!time) return tell({ kind: 'refused', says: words.bad });
        act(() => remind(lead, { why: 'fecha', at: `${day} ${time} ${timeZone}` }))();
      }}
    >
      <Field label={words.day} type="date" min={dayInTijuana(now)} value={day} onChange={setDay} />
      <Field label={words.time} type="time" value={time} onChange={setTime} isFirst />
      <Act words={words.open} quiet={false} type="submit" aria-busy={busy} />
      {isAhead && <Act words={words.expires} onClick={act(() => remind(lead, { why: 'vence' }))} />}
      <Act words={desk.cancel} onClick={() => setOpen(false)} />
    </form>
  );
}
