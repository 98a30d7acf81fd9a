import { useEffect, useImperativeHandle, useRef, useState, type KeyboardEvent, type Ref } from 'react';
import { mainWords } from '../../content/bilingual.ts';
import { deskList as words } from '../../content/desk-list.ts';
import { useDesk } from '../context.ts';
import type { Lead } from '../lead/lead.ts';
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx';
import { LeadRow, UnshownRow } from './LeadRow.tsx';
import styles from './LeadList.module.css';
import { areShortcutsOn } from './shortcut-setting.ts';
import type { useSelection } from './use-selection.ts';
import { useVisibleRows } from './use-visible-rows.ts';

interface Props {
  readonly ref: Ref<HTMLDivElement>;
  readonly leads: readonly Lead[];
  readonly opened: Lead | undefined;
  readonly selection: ReturnType<typeof useSelection>;
  readonly onKey: (key: string, lead: Lead) => void;
}

/** List of leads. Renders only the rows in view, because a thousand rows are too slow. */
export function LeadList({ ref, leads, opened, selection, onKey }: Props) {
  const { me, now, open } = useDesk();
  const box = useRef<HTMLDivElement>(null);
  useImperativeHandle(ref, () => box.current!);
  const [active, setActive] = useState<string>();
  const [place, setPlace] = useState(0);

  // The active row stays with its lead. If the lead leaves the list, the next row becomes active.
  const found = leads.findIndex(({ quote_id }) => quote_id === active);
  const at = found < 0 ? Math.max(0, Math.min(place, leads.length - 1)) : found;
  useEffect(() => setPlace(at), [at]);
  const focused = leads[at];

  const { from, to, height, scrollTo } = useVisibleRows(box, found);

  const moveTo = (index: number) => {
    const next = Math.min(Math.max(index, 0), leads.length - 1);
    setActive(leads[next]?.quote_id);
    scrollTo(next);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !focused) return;
    const page = Math.max(1, Math.floor(box.current!.clientHeight / height) - 1);
    const steps: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: leads.length - 1,
    };
    const step = steps[event.key];
    if (step !== undefined) moveTo(step);
    else if (event.key === 'Enter') open(focused);
    else if (event.key === 'Escape' && selection.chosen.length > 0) selection.choose([]);
    else if (event.key === 'x' && areShortcutsOn()) selection.toggle(focused, false);
    else if (/^[a-z]$/.test(event.key) && areShortcutsOn()) onKey(event.key, focused);
    else return;
    event.preventDefault();
  };

  const shown = leads.slice(from, to);
  const isThere = at >= from && at < from + shown.length;
  return (
    <div
      ref={box}
      className={styles['list']}
      role="listbox"
      tabIndex={0}
      aria-label={mainWords(words.list)}
      aria-multiselectable
      aria-activedescendant={isThere && focused ? `row-${focused.quote_id}` : undefined}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" className={styles['all']} style={{ height: leads.length * height }}>
        {shown.map((lead, index) => {
          const top = (from + index) * height;
          return (
            <ErrorBoundary key={lead.quote_id} otherwise={<UnshownRow lead={lead} top={top} />}>
              <LeadRow
                lead={lead}
                me={me.id}
                tick={Math.floor(now / 15_000)}
                now={now}
                top={top}
                place={from + index + 1}
                count={leads.length}
                isFocused={lead === focused}
                isOpen={lead === opened}
                isChosen={selection.chosen.includes(lead)}
                onOpen={() => {
                  setActive(lead.quote_id);
                  open(lead);
                }}
                onChoose={(isRange) => {
                  setActive(lead.quote_id);
                  selection.toggle(lead, isRange);
                }}
              />
            </ErrorBoundary>
          );
        })}
      </div>
    </div>
  );
}
