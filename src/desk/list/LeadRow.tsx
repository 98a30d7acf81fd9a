import { memo } from 'react';
import { englishWords, mainWords } from '../../content/bilingual.ts';
import { deskFailures } from '../../content/desk-failures.ts';
import { deskMany } from '../../content/desk-many.ts';
import { deskLead as words } from '../../content/desk-lead.ts';
import { useStore } from '../../ui/store.ts';
import desk from '../Desk.module.css';
import { cargoOf, clockOf, initialsOf, kilosOf, ownerOf, standingOf, type Lead } from '../lead/lead.ts';
import { due, isReminded } from '../lead/reminders.ts';
import { isUnread, marks } from '../lead/read-marks.ts';
import styles from './LeadRow.module.css';

interface Props {
  readonly lead: Lead;
  readonly me: string;
  readonly now: number;
  /** Number that changes every few seconds, so that the memoised row is rendered again with the current times. */
  readonly tick: number;
  readonly top: number;
  readonly place: number;
  readonly count: number;
  readonly isFocused: boolean;
  readonly isOpen: boolean;
  /** True if the lead is selected for an action on several leads. */
  readonly isChosen: boolean;
  readonly onOpen: () => void;
  readonly onChoose: (isRange: boolean) => void;
}

export const LeadRow = memo(
  function LeadRow({ lead, me, now, top, place, count, isFocused, isOpen, isChosen, onOpen, onChoose }: Props) {
    const clock = clockOf(lead, now);
    // The row subscribes to the stores, so that it is rendered again when a reminder is due or a lead was read.
    useStore(due);
    useStore(marks);
    const hasNews = isUnread(lead);
    const standing = standingOf(lead);
    // A reply or an acceptance that waits is more important than a reminder, so it is shown instead.
    const isDue = isReminded(lead, me) && !lead.reply_waiting && standing.tone !== 'accepted';
    const state = isDue ? { tone: 'asked', words: words.standing.reminder } : standing;
    const owner = ownerOf(lead, me);
    const cargo = [
      lead.empresa,
      lead.peso !== null && mainWords(kilosOf(lead)),
      lead.entregada ? mainWords(words.recovered) : cargoOf(lead),
    ];
    return (
      // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the list has the focus and handles the keys
      <div
        id={`row-${lead.quote_id}`}
        role="option"
        className={styles['row']}
        style={{ transform: `translateY(${top}px)` }}
        aria-selected={isOpen}
        aria-checked={isChosen}
        aria-posinset={place}
        aria-setsize={count}
        data-focused={isFocused ? '' : undefined}
        data-tone={clock.tone}
        data-state={state.tone}
        data-news={hasNews ? '' : undefined}
        onClick={({ shiftKey, target }) =>
          shiftKey || (target as Element).matches('[data-check]') ? onChoose(shiftKey) : onOpen()
        }
      >
        <span data-check="" className={styles['check']} title={mainWords(deskMany.choose)} />
        <span className={`${styles['who']} ${hasNews ? desk['dot'] : ''}`} translate="no">
          {hasNews && <span className="hidden">{mainWords(words.news)}: </span>}
          <span dir="auto">{lead.nombre}</span>
        </span>{' '}
        <span className={styles['clock']} title={englishWords(clock.words)}>
          {mainWords(clock.words)}
        </span>{' '}
        <span className={styles['cargo']} translate="no" dir="auto">
          {cargo.filter(Boolean).join(' · ')}
        </span>{' '}
        <span className={styles['state']} title={englishWords(state.words)}>
          {mainWords(state.words)}
        </span>{' '}
        <span className={styles['owner']} translate="no">
          {lead.assignee && lead.assignee !== me && <i aria-hidden="true">{initialsOf(owner)}</i>}
          <span>{owner}</span>
        </span>{' '}
        <span className={styles['folio']} translate="no">
          {lead.folio}
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
    one.isOpen === other.isOpen &&
    one.isChosen === other.isChosen,
);

/** Row shown instead of a lead that could not be rendered, for example one from a newer release. */
export function UnshownRow({ lead, top }: Pick<Props, 'lead' | 'top'>) {
  return (
    <div
      role="option"
      aria-selected={false}
      tabIndex={-1}
      className={styles['row']}
      style={{ transform: `translateY(${top}px)` }}
    >
      <span className={styles['who']}>{mainWords(deskFailures.unshown)}</span>{' '}
      <span className={styles['folio']} translate="no">
        {lead.folio}
      </span>
    </div>
  );
}
