import {
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type Ref,
} from 'react';
import { mainWords } from '../../content/bilingual.ts';
import { deskList as words } from '../../content/desk-list.ts';
import { useDesk } from '../context.ts';
import type { Lead } from '../lead/lead.ts';
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx';
import { LeadRow, UnshownRow } from './LeadRow.tsx';
import styles from './LeadList.module.css';
import { areShortcutsOn } from './shortcut-setting.ts';
import type { useSelection } from './use-selection.ts';

interface Props {
  readonly ref: Ref<HTMLDivElement>;
  readonly leads: readonly Lead[];
  readonly opened: Lead | undefined;
  readonly many: ReturnType<typeof useSelection>;
  readonly onKey: (key: string, lead: Lead) => void;
}

/** Rows rendered beyond the edge, so that a quick scroll shows no gap. */
const BEYOND = 8;

/** Renders only the rows in view: each of a thousand rows would cost a frame. */
export function LeadList({ ref, leads, opened, many, onKey }: Props) {
  const { me, now, open } = useDesk();
  const box = useRef<HTMLDivElement>(null);
  useImperativeHandle(ref, () => box.current!);
  const [active, setActive] = useState<string>();
  const [place, setPlace] = useState(0);
  const [{ from, to, height, isShown }, setRange] = useState({ from: 0, to: 30, height: 0, isShown: false });

  useLayoutEffect(() => {
    const list = box.current!;
    const measure = () => {
      const row = rowHeight(list);
      const first = Math.max(0, Math.floor(list.scrollTop / row) - BEYOND);
      const last = Math.ceil((list.scrollTop + list.clientHeight) / row) + BEYOND;
      const there = list.clientHeight > 0;
      setRange((range) =>
        range.from === first && range.to === last && range.height === row && range.isShown === there
          ? range
          : { from: first, to: last, height: row, isShown: there },
      );
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(list);
    list.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      list.removeEventListener('scroll', measure);
    };
  }, []);

  // The active row follows its lead; if the lead leaves the list, the row in its place becomes active.
  const found = leads.findIndex(({ quote_id }) => quote_id === active);
  const at = found < 0 ? Math.max(0, Math.min(place, leads.length - 1)) : found;
  useEffect(() => setPlace(at), [at]);
  const focused = leads[at];

  const bringIntoView = (index: number) => {
    const list = box.current!;
    const row = rowHeight(list);
    if (index * row < list.scrollTop) list.scrollTop = index * row;
    else if ((index + 1) * row > list.scrollTop + list.clientHeight)
      list.scrollTop = (index + 1) * row - list.clientHeight;
  };
  const bringBack = useEffectEvent(() => {
    if (found >= 0) bringIntoView(found);
  });
  useEffect(() => {
    // Back from a lead on a narrow screen the scroll position may be wrong, or lost (Firefox).
    if (isShown && height > 0) bringBack();
  }, [isShown, height]);

  const moveTo = (index: number) => {
    const next = Math.min(Math.max(index, 0), leads.length - 1);
    setActive(leads[next]?.quote_id);
    bringIntoView(next);
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
    else if (event.key === 'Escape' && many.chosen.length > 0) many.choose([]);
    else if (event.key === 'x' && areShortcutsOn()) many.toggle(focused, false);
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
                isChosen={many.chosen.includes(lead)}
                onOpen={() => {
                  setActive(lead.quote_id);
                  open(lead);
                }}
                onChoose={(isRange) => {
                  setActive(lead.quote_id);
                  many.toggle(lead, isRange);
                }}
              />
            </ErrorBoundary>
          );
        })}
      </div>
    </div>
  );
}

/** Height of a row in pixels, from the styles: text may be twice as large. */
function rowHeight(list: HTMLElement): number {
  const rems = Number.parseFloat(getComputedStyle(list).getPropertyValue('--row'));
  return rems * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
}
