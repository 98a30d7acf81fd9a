import { useEffect, useId, useRef, useSyncExternalStore } from 'react';
import { notices as words } from '../content/notices.ts';
import { Inline } from '../ui/Inline.tsx';
import card from './Toast.module.css';
import styles from './Toaster.module.css';
import { dismiss, toastStore, type Toast } from './toasts.ts';

const NONE: readonly Toast[] = [];

/** Stands in the page from the start, empty: a live region is only heard when it was there before its text. */
export function Toaster() {
  const me = useId();
  const all = useSyncExternalStore(toastStore.subscribe, toastStore.read, () => NONE);
  const place = useSyncExternalStore(toastStore.subscribe, toastStore.place, () => undefined);
  const toasts = place === me ? all : NONE;
  useEffect(() => toastStore.enter(me), [me]);
  const groups = {
    status: toasts.filter(({ type }) => type !== 'error'),
    alert: toasts.filter(({ type }) => type === 'error'),
  };
  return (
    <section className={styles['toaster']} aria-label={words.label.es}>
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
      onFocus={hold}
      onBlur={() => setTimeout(run)}
    >
      <p>
        <Inline text={toast.text} />
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
          {toast.action.label.es}
        </button>
      )}
      <button className={card['close']} type="button" aria-label={words.close.es} onClick={() => dismiss(id)}>
        <span aria-hidden="true">×</span>
      </button>
    </div>
  );
}

function dismissLater(id: number, duration: number) {
  // An endless time-out would end at once.
  return Number.isFinite(duration) ? setTimeout(() => dismiss(id), duration) : undefined;
}
