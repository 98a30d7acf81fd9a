import { useCallback, useEffect, useId, useRef, useState, type RefObject } from 'react';
import { ERASED_KEY } from '../agreements.ts';
import { links as words } from '../content/links.ts';
import { folioOf } from '../lead/folio.ts';
import type { LinkedQuote } from '../outbox/linked-quotes.ts';
import { ActionLabel } from './ActionLabel.tsx';
import { Inline } from '../ui/Inline.tsx';
import { findLinkedQuotes, storeLinkedQuotes, type Opening } from './open-link.ts';
import { Confirm } from './Confirm.tsx';
import styles from './OpenLink.module.css';

const TRY_EVERY = 20_000;

interface Props {
  /** Link that was opened; undefined if the visitor pastes links into the form. */
  readonly link?: string;
  /**
   * Called with the ids of the opened quotes. `isAwaited`: true if the visitor is waiting for them, so that the focus
   * may move.
   */
  readonly onOpened: (ids: readonly string[], isAwaited: boolean) => void;
}

/** Opens quotes of another phone on this phone, after the visitor has confirmed. */
export function OpenLink({ link, onOpened }: Props) {
  const fieldId = useId();
  const [typed, setTyped] = useState('');
  const status = useRef<HTMLDivElement>(null);
  const { opening, hasNoConnection, isAwaited, run, open, decline } = useOpening(link ?? typed, status, onOpened);
  useEffect(() => void (link && open(link)), [link, open]);

  const found = opening !== 'asking' && opening?.kind === 'found' ? opening : undefined;
  const message = opening && wordsFor(opening);

  const result = (
    <>
      <div ref={status} role="status" tabIndex={-1}>
        {message && (
          <p>
            <Inline text={message} />
          </p>
        )}
      </div>
      {found && (
        <Confirm
          className={styles['open']}
          question={words.whose(found.linked.length, whoMade(found.linked))}
          words={{ yes: words.showHere, no: words.decline }}
          takesFocus={isAwaited}
          onYes={() => void run(() => storeLinkedQuotes(found))}
          onNo={() => {
            decline();
            status.current?.focus();
          }}
        />
      )}
    </>
  );
  if (link)
    return (
      <div className={styles['open']}>
        {result}
        {hasNoConnection && (
          <button className="button" type="button" onClick={() => void open(link)}>
            <ActionLabel text={words.retry} />
          </button>
        )}
      </div>
    );
  return (
    <details className={styles['elsewhere']}>
      <summary>
        <Inline text={words.elsewhere} />
      </summary>
      <form
        className={styles['open']}
        onSubmit={(event) => {
          event.preventDefault();
          void open(typed);
        }}
      >
        <div className="field">
          <label className="label" htmlFor={fieldId}>
            <Inline text={words.paste} />
          </label>
          <textarea id={fieldId} rows={2} required value={typed} onChange={(event) => setTyped(event.target.value)} />
        </div>
        <button className="button plain" type="submit" aria-disabled={opening === 'asking'}>
          <ActionLabel text={words.open} />
        </button>
        {result}
      </form>
    </details>
  );
}

/**
 * Opens the links in `text`, and tries again while the phone has no connection. A new attempt ends the earlier one.
 * `isAwaited`: true if the visitor is waiting for the result.
 */
function useOpening(text: string, status: RefObject<HTMLElement | null>, onOpened: Props['onOpened']) {
  const [opening, setOpening] = useState<Opening | 'asking'>();
  const [isAwaited, setIsAwaited] = useState(true);
  const latestOnOpened = useRef(onOpened);
  useEffect(() => void (latestOnOpened.current = onOpened));
  /** Number of the newest attempt. An erasure counts as an attempt too, and so ends a running attempt. */
  const attempt = useRef(0);

  const run = useCallback(
    async (work: (isOver: () => boolean) => Promise<Opening>, isRetry = false) => {
      const own = ++attempt.current;
      const isOver = () => attempt.current !== own;
      const ended = await work(isOver);
      if (isOver()) return;
      const active = document.activeElement;
      // An automatic retry may move the focus only if the focus is in this section, or if no element has it.
      const isFree = !isRetry || active === document.body || status.current?.parentElement?.contains(active) === true;
      setIsAwaited(isFree);
      setOpening(ended);
      if (ended.kind === 'opened') latestOnOpened.current(ended.ids, isFree);
    },
    [status],
  );
  const open = useCallback(
    (links: string) => {
      setOpening('asking');
      return run((isOver) => findLinkedQuotes(links, isOver));
    },
    [run],
  );
  const retry = useCallback(() => void run((isOver) => findLinkedQuotes(text, isOver), true), [run, text]);
  const hasNoConnection = opening !== 'asking' && opening?.kind === 'unreached';
  useRetry(hasNoConnection, retry);
  const onErased = useCallback(() => {
    attempt.current += 1;
    setOpening(undefined);
  }, []);
  useErasure(onErased);
  return { opening, hasNoConnection, isAwaited, run, open, decline: () => setOpening({ kind: 'declined' }) };
}

/** Calls `onErased` when another tab erases all data: requests that still run must not bring quotes back. */
function useErasure(onErased: () => void): void {
  useEffect(() => {
    const listen = ({ key }: StorageEvent) => key === ERASED_KEY && onErased();
    addEventListener('storage', listen);
    return () => removeEventListener('storage', listen);
  }, [onErased]);
}

/** Calls `retry` regularly while `isActive`, and at once when the connection returns or the page becomes visible. */
function useRetry(isActive: boolean, retry: () => void): void {
  useEffect(() => {
    if (!isActive) return;
    const retryIfVisible = () => document.visibilityState === 'visible' && retry();
    addEventListener('online', retryIfVisible);
    document.addEventListener('visibilitychange', retryIfVisible);
    const timer = setInterval(retryIfVisible, TRY_EVERY);
    return () => {
      removeEventListener('online', retryIfVisible);
      document.removeEventListener('visibilitychange', retryIfVisible);
      clearInterval(timer);
    };
  }, [isActive, retry]);
}

function wordsFor(opening: Opening | 'asking') {
  if (opening === 'asking') return words.opening;
  if (opening.kind === 'found') return undefined;
  return opening.kind === 'opened' ? words.opened(opening.ids.map(folioOf), opening.closed) : words[opening.kind];
}

/**
 * Returns the names of the exporters without repetition. A quote without a name, recorded from a phone call, is named
 * by its folio.
 */
function whoMade(linked: readonly LinkedQuote[]): readonly string[] {
  const people = linked.map(({ quote: { id, nombre, empresa } }) =>
    nombre ? [nombre, empresa && `(${empresa})`].filter(Boolean).join(' ') : folioOf(id),
  );
  return [...new Set(people)];
}
