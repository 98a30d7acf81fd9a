import { mainWords, type Bilingual as Text } from '../../content/bilingual.ts';
import { deskToday as words } from '../../content/desk-today.ts';
import { timeInTijuana } from '../../lead/tijuana.ts';
import { Bilingual } from '../../ui/Bilingual.tsx';
import { Button, LinkButton } from '../../ui/Button.tsx';
import { useStore } from '../../ui/store.ts';
import { useDesk } from '../context.ts';
import { clockOf, type Lead } from '../lead/lead.ts';
import { acceptedOf } from '../lead/offer.ts';
import { reminders } from '../lead/reminders.ts';
import { dayTasks } from './day-tasks.ts';
import styles from './Today.module.css';

const MOST = 5;

/** Tasks shown while no lead is open: the most urgent lead, and this person's other tasks of the day. */
export function Today({ leads }: { readonly leads: readonly Lead[] }) {
  const { me, now, open } = useDesk();
  const { urgent, due, reminded, toBook } = dayTasks(leads, useStore(reminders), me.id, now);
  const clock = (lead: Lead) => mainWords(clockOf(lead, now).words);
  return (
    <div className={styles['today']}>
      {urgent ? (
        <section className={styles['urgent']} aria-label={mainWords(words.urgent)}>
          <p className="label">{mainWords(words.urgent)}</p>
          <h2 translate="no" dir="auto">
            {urgent.nombre}
          </h2>
          <p>{[urgent.empresa, clock(urgent)].filter(Boolean).join(' · ')}</p>
          <Button words={words.open} quiet={false} onClick={() => open(urgent)} />
        </section>
      ) : (
        <Bilingual text={words.nothing} />
      )}
      <TaskList title={words.due} found={due.map((lead) => [lead, clock(lead)])} />
      <TaskList title={words.reminded} found={reminded.map(({ lead, at }) => [lead, timeInTijuana(at)])} />
      <TaskList title={words.toBook} found={toBook.map((lead) => [lead, acceptedOf(lead, now)])} />
    </div>
  );
}

interface TaskListProps {
  readonly title: Text;
  readonly found: readonly (readonly [lead: Lead, text: string])[];
}

function TaskList({ title, found }: TaskListProps) {
  const { open } = useDesk();
  if (found.length === 0) return null;
  return (
    <section aria-label={mainWords(title)}>
      <h3 className="label">
        {mainWords(title)} · {found.length}
      </h3>
      <ul>
        {found.slice(0, MOST).map(([lead, text]) => (
          <li key={lead.quote_id}>
            <LinkButton translate="no" onClick={() => open(lead)}>
              {lead.nombre}
            </LinkButton>{' '}
            <span>{text}</span>
          </li>
        ))}
      </ul>
      {found.length > MOST && <p>{mainWords(words.more(found.length - MOST))}</p>}
    </section>
  );
}
