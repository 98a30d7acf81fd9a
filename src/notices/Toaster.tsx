import { useEffect, useId, useLayoutEffect, useRef } from 'react';
import { mainWords } from '../content/bilingual.ts';
import { notices as words } from '../content/notices.ts';
import { ButtonWords } from '../ui/ButtonWords.tsx';
import { Inline } from '../ui/Inline.tsx';
import { WholeInline } from '../ui/whole.tsx';
import { createStore } from '../ui/create-store.ts';
import { useStore } from '../ui/store.ts';
import card from './Toast.module.css';
import styles from './Toaster.module.css';
import { dismiss, toasts, type Toast } from './toasts.ts';

const GAP = 8;

/** A modal dialog makes the rest of the page inert: while one is open, toasts are shown in it, the last that opened. */
const toasters = createStore<readonly string[]>([]);

/** Stands in the page from the start, empty: a live region is only heard when it was there before its text. */
export function Toaster() {
  const me = useId();
  const place = useRef<HTMLElement>(null);
  const all = useStore(toasts);
  const isLast = useStore(toasters).at(-1) === me;
  useEffect(() => {
    toasters.set([...toasters.read(), me]);
    return () => toasters.set(toasters.read().filter((other) => other !== me));
  }, [me]);
  const mine = isLast ? all : [];
  useLayoutEffect(() => {
    if (isLast) keepClear(place.current!, all.length > 0);
  }, [isLast, all]);
  const groups = {
    status: mine.filter(({ type }) => type !== 'error'),
    alert: mine.filter(({ type }) => type === 'error'),
  };
  return (
    <section ref={place} className={styles['toaster']} aria-label={mainWords(words.label)}>
      {Object.entries(groups).map(([role, group]) => (
        <div key={role} role={role} aria-atomic="false">
          {group.map((one) => (
            <Card key={one.id} toast={one} />
          ))}
        </div>
      ))}
    </section>
  );
}

/** Keeps what has the focus, or is brought into view, from lying under a notice. */
function keepClear(toaster: HTMLElement, holdsAny: boolean): void {
  const { top, bottom, left, height } = toaster.getBoundingClientRect();
  // On the one that makes room, for what the root says all elements of the page are styled anew.
  toaster.closest('dialog')?.style.setProperty('--notices', `${height}px`);
  document.documentElement.style.scrollPaddingTop = holdsAny ? `${bottom + GAP}px` : '';
  const active = document.activeElement;
  if (!holdsAny || !active || active === document.body || toaster.contains(active)) return;
  const box = active.getBoundingClientRect();
  if (box.top < bottom && box.bottom > top && box.right > left) scrollBy({ top: box.top - bottom - GAP });
}

/** Where the focus was before it came to the notices. */
let before: HTMLElement | undefined;

/** Whoever closes one by keyboard goes on at the next, or where they came from. */
function leave(notice: HTMLElement): void {
  const others = notice.closest('section')!.querySelectorAll<HTMLElement>('button:last-child');
  const next = [...others].find((close) => !notice.contains(close));
  (next ?? before)?.focus();
}

function Card({ toast }: { readonly toast: Toast }) {
  const element = useRef<HTMLDivElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { id, duration } = toast;

  function hold() {
    clearTimeout(timer.current);
  }
  function run() {
    clearTimeout(timer.current);
    if (!element.current?.matches(':hover, :focus-within')) timer.current = dismissLater(id, duration);
  }
  useEffect(() => {
    timer.current = dismissLater(id, duration);
    return () => clearTimeout(timer.current);
  }, [id, duration]);

  return (
    <div
      ref={element}
      className={`${card['toast']} ${card[toast.type]}`}
      data-leaving={toast.leaving || undefined}
      onPointerEnter={hold}
      onPointerLeave={run}
      onFocus={({ currentTarget, relatedTarget }) => {
        hold();
        if (relatedTarget instanceof HTMLElement && !currentTarget.closest('section')!.contains(relatedTarget))
          before = relatedTarget;
      }}
      onBlur={() => setTimeout(run)}
    >
      <p>
        <WholeInline text={toast.text} />
      </p>
      {toast.action && (
        <button
          className="button plain"
          type="button"
          onClick={() => {
            toast.action?.run();
            dismiss(id);
          }}
        >
          <ButtonWords text={toast.action.label} />
        </button>
      )}
      <button
        className={card['close']}
        type="button"
        onClick={({ detail }) => {
          if (detail === 0) leave(element.current!);
          dismiss(id);
        }}
      >
        <span aria-hidden="true">×</span>
        <span className="hidden">
          <Inline text={words.close} />
        </span>
      </button>
    </div>
  );
}

function dismissLater(id: number, duration: number) {
  // An endless time-out would end at once.
  return Number.isFinite(duration) ? setTimeout(() => dismiss(id), duration) : undefined;
}
