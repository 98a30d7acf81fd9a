import { useImperativeHandle, useRef, type Ref } from 'react';
import { mainWords } from '../../content/bilingual.ts';
import { deskList as words } from '../../content/desk-list.ts';
import { Bilingual } from '../../ui/Bilingual.tsx';
import { TeamLine } from '../team/TeamLine.tsx';
import { withdrawAnnouncement } from '../announcements.ts';
import type { Lead } from '../lead/lead.ts';
import { Filters } from './Filters.tsx';
import { LeadList } from './LeadList.tsx';
import { BulkBar } from './BulkBar.tsx';
import { ListSummary } from './ListSummary.tsx';
import { ReceivedLine } from './ReceivedLine.tsx';
import styles from './ListPanel.module.css';
import { useSelection } from './use-selection.ts';
import type { useShownLeads } from './use-shown-leads.ts';

export interface ListHandle {
  /** Moves the focus to the list; if the list has no rows, to the section around it. */
  readonly focus: () => void;
  readonly focusSearch: () => void;
  /** False if an open lead covers the list, as on a narrow screen. */
  readonly isInView: () => boolean;
  /** True if the focus is on the section around the list. */
  readonly hasFocus: () => boolean;
}

interface Props {
  readonly ref: Ref<ListHandle>;
  readonly list: ReturnType<typeof useShownLeads>;
  readonly isLoaded: boolean;
  readonly chosen: Lead | undefined;
  readonly onKey: (key: string, lead: Lead) => void;
  /** Opens the received messages that belong to no lead yet. */
  readonly onReceived: () => void;
}

/** Panel with the list of leads, its search and filters, and the colleagues who are online. */
export function ListPanel({ ref, list, isLoaded, chosen, onKey, onReceived }: Props) {
  const side = useRef<HTMLElement>(null);
  const rows = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const focus = () => (rows.current ?? side.current)?.focus({ preventScroll: true });
  useImperativeHandle(ref, () => ({
    focus,
    focusSearch: () => search.current?.focus(),
    isInView: () => Boolean(side.current?.clientHeight),
    hasFocus: () => document.activeElement === side.current,
  }));
  const isEmpty = list.shown.length === 0;
  const selection = useSelection(list.shown);
  return (
    <section ref={side} className={styles['side']} aria-label={mainWords(words.list)} tabIndex={-1}>
      <Filters
        ref={search}
        typed={list.typed}
        onType={(typed) => {
          withdrawAnnouncement();
          list.type(typed);
        }}
        onLeave={focus}
        filter={list.filter}
        counts={list.counts}
        onFilter={(filter) => {
          withdrawAnnouncement();
          list.choose(filter);
        }}
      />
      <ListSummary all={list.all} shown={list.shown} refinement={list.refinement} onRefine={list.refine} />
      <TeamLine />
      <ReceivedLine onOpen={onReceived} />
      <div role="status" className={styles['none']} data-beside={isEmpty ? undefined : ''}>
        {list.note && <Bilingual text={list.note} />}
      </div>
      <BulkBar
        chosen={selection.chosen}
        shown={list.shown}
        onChoose={(leads) => {
          selection.choose(leads);
          if (leads.length === 0) focus();
        }}
      />
      {(!isEmpty || !isLoaded) && (
        <LeadList
          // The key changes with the filter or search, so that the new list starts at its top.
          key={JSON.stringify([list.typed.trim(), list.what, list.note && mainWords(list.note), list.refinement])}
          ref={rows}
          leads={list.shown}
          opened={chosen}
          selection={selection}
          onKey={onKey}
        />
      )}
    </section>
  );
}
