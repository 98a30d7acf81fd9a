import { memo } from 'react';
import { mainWords, type Bilingual, englishWords } from '../content/bilingual.ts';
import { desk as words } from '../content/desk.ts';
import { deskReminders } from '../content/desk-reminders.ts';
import { useStore } from '../ui/store.ts';
import { cargoOf, clockOf, kilosOf, standingOf, type Lead } from './lead.ts';
import styles from './LeadRow.module.css';
import { due, isReminded } from './reminders.ts';

const { mark } = deskReminders;
const { asksOld, asksOldShort, claims, claimsShort } = words.offer;
/** Shorter words for the row, which has room for two or three. */
const SHORT = new Map<Bilingual, Bilingual>([
  [asksOld, asksOldShort],
  [claims, claimsShort],
]);

interface Props {
  readonly lead: Lead;
  readonly me: string;
  readonly now: number;
  /** Changes when the words of the clock may. */
  readonly tick: number;
  readonly top: number;
  readonly place: number;
  readonly count: number;
  readonly isFocused: boolean;
  readonly isChosen: boolean;
  readonly onOpen: () => void;
}

export const LeadRow = memo(
  function LeadRow({ lead, me, now, top, place, count, isFocused, isChosen, onOpen }: Props) {
    const clock = clockOf(lead, now);
    // Looked at again as soon as something is due.
    useStore(due);
    // What its sender replied is the greater word.
    const isDue = isReminded(lead, me) && !lead.reply_waiting;
    const standing = standingOf(lead);
    const status = isDue ? mark : (SHORT.get(standing) ?? standing);
    const cargo = lead.entregada ? mainWords(words.recovered) : cargoOf(lead);
    return (
      // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the list has the focus and its keys
      <div
        id={`row-${lead.quote_id}`}
        role="option"
        className={styles['row']}
        style={{ transform: `translateY(${top}px)` }}
        aria-selected={isChosen}
        aria-posinset={place}
        aria-setsize={count}
        data-focused={isFocused ? '' : undefined}
        data-tone={clock.tone}
        onClick={onOpen}
      >
        <span className={styles['clock']} title={englishWords(clock.words)}>
          {mainWords(clock.words)}
        </span>
        <span className={styles['folio']} translate="no">
          {lead.folio}
        </span>
        <span className={styles['who']} translate="no">
          <b dir="auto">{lead.nombre}</b> <span dir="auto">{lead.empresa}</span>
        </span>
        <span className={styles['cargo']}>
          <span title={englishWords(kilosOf(lead))}>{mainWords(kilosOf(lead))}</span> <span>{cargo}</span>
        </span>
        <span
          className={styles['owner']}
          data-status={lead.reply_waiting || isDue ? 'reply' : lead.status}
          title={englishWords(status)}
        >
          <span>{mainWords(status)}</span>{' '}
          {lead.assignee && (
            <span translate="no">{lead.assignee === me ? mainWords(words.mine) : lead.assignee_name}</span>
          )}
        </span>
      </div>
    );
  },
  (one, other) =>
    one.lead === other.lead &&
    one.tick === other.tick &&
    one.top === other.top &&
    one.count === other.count &&
    one.isFocused === other.isFocused &&
    one.isChosen === other.isChosen,
);

/** A lead with words that this page does not know: a newer one may. */
export function UnshownRow({ lead, top }: Pick<Props, 'lead' | 'top'>) {
  return (
    <div
      role="option"
      aria-selected={false}
      tabIndex={-1}
      className={styles['row']}
      style={{ transform: `translateY(${top}px)` }}
    >
      <span className={styles['folio']} translate="no">
        {lead.folio}
      </span>
      <span className={styles['who']}>{mainWords(words.unshown)}</span>
    </div>
  );
}
