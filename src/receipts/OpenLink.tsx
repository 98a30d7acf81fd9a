import { useCallback, useEffect, useId, useRef, useState } from 'react';
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
  /** Opened address; undefined for the form in which links are pasted. */
  readonly link?: string;
  /** `isAwaited`: true if the visitor waits for the result, which may therefore take the focus. */
  readonly onOpened: (ids: readonly string[], isAwaited: boolean) => void;
}

/** Brings quotes here from another phone, after a confirmation. */
export function OpenLink({ link: given, onOpened }: Props) {
  const fieldId = useId();
  const [typed, setTyped] = useState('');
  const [opening, setOpening] = useState<Opening | 'asking'>();
  const text = given ?? typed;
  const latestOnOpened = useRef(onOpened);
  useEffect(() => void (latestOnOpened.current = onOpened));

  const status = useRef<HTMLDivElement>(null);
  const erasures = useRef(0);

  const [isAwaited, setIsAwaited] = useState(true);

  const run = useCallback(async (work: (isOver: () => boolean) => Promise<Opening>, isRetry = false) => {
    const erasuresAtStart = erasures.current;
    const isOver = () => erasures.current !== erasuresAtStart;
    const ended = await work(isOver);
    if (isOver()) return;
    const active = document.activeElement;
    // The focused element may disappear with the current text.
    const isFree = !isRetry || active === document.body || status.current?.parentElement?.contains(active) === true;
    setIsAwaited(isFree);
    setOpening(ended);
    if (ended.kind === 'opened') latestOnOpened.current(ended.ids, isFree);
  }, []);
  const tryToOpen = useCallback(
    (links: string, isRetry = false) => run((isOver) => findLinkedQuotes(links, isOver), isRetry),
    [run],
  );
  useEffect(() => {
    // Another tab erased all data, so running requests must not bring quotes back.
    const onStorage = ({ key }: StorageEvent) => {
      if (key !== ERASED_KEY) return;
      erasures.current += 1;
      setOpening(undefined);
    };
    addEventListener('storage', onStorage);
    return () => removeEventListener('storage', onStorage);
  }, []);
  const open = useCallback(
    (links: string) => {
      setOpening('asking');
      return tryToOpen(links);
    },
    [tryToOpen],
  );
  useEffect(() => void (given && open(given)), [given, open]);

  const found = opening !== 'asking' && opening?.kind === 'found' ? opening : undefined;
  const message = opening && wordsFor(opening);
  const hasNoConnection = opening !== 'asking' && opening?.kind === 'unreached';
  useEffect(() => {
    if (!hasNoConnection) return;
    // The text and its button, which may have the focus, stay during the retry.
    const retry = () => document.visibilityState === 'visible' && void tryToOpen(text, true);
    addEventListener('online', retry);
    document.addEventListener('visibilitychange', retry);
    const timer = setInterval(retry, TRY_EVERY);
    return () => {
      removeEventListener('online', retry);
      document.removeEventListener('visibilitychange', retry);
      clearInterval(timer);
    };
  }, [hasNoConnection, tryToOpen, text]);

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
            setOpening({ kind: 'declined' });
            status.current?.focus();
          }}
        />
      )}
    </>
  );
  if (given)
    return (
      <div className={styles['open']}>
        {result}
        {hasNoConnection && (
          <button className="button" type="button" onClick={() => void open(given)}>
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

function wordsFor(opening: Opening | 'asking') {
  if (opening === 'asking') return words.opening;
  if (opening.kind === 'found') return undefined;
  return opening.kind === 'opened' ? words.opened(opening.ids.map(folioOf), opening.closed) : words[opening.kind];
}

/** Unique names of the senders; the folio if a phone call left no name. */
function whoMade(linked: readonly LinkedQuote[]): readonly string[] {
  const people = linked.map(({ quote: { id, nombre, empresa } }) =>
    nombre ? [nombre, empresa && `(${empresa})`].filter(Boolean).join(' ') : folioOf(id),
  );
  return [...new Set(people)];
}
