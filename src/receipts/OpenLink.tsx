import { useCallback, useEffect, useId, useRef, useState } from 'react';
import { ERASED_KEY } from '../agreements.ts';
import { links as words } from '../content/links.ts';
import { folioOf } from '../lead/folio.ts';
import type { LinkedQuote } from '../outbox/linked-quotes.ts';
import { ActWords } from './ActWords.tsx';
import { Inline } from '../ui/Inline.tsx';
import { findLinked, keepLinked, type Opening } from './open-link.ts';
import { Confirm } from './Confirm.tsx';
import styles from './OpenLink.module.css';

const TRY_EVERY = 20_000;

interface Props {
  /** The address that was opened; without it, links are pasted. */
  readonly given?: string;
  /** `isAwaited`: nobody does anything else meanwhile. */
  readonly onOpened: (ids: readonly string[], isAwaited: boolean) => void;
}

/** Form and question that bring quotes here from another phone, with the result in words. */
export function OpenLink({ given, onOpened }: Props) {
  const field = useId();
  const [typed, setTyped] = useState('');
  const [opening, setOpening] = useState<Opening | 'asking'>();
  const text = given ?? typed;
  const told = useRef(onOpened);
  useEffect(() => void (told.current = onOpened));

  const status = useRef<HTMLDivElement>(null);
  const erasures = useRef(0);

  const [isAwaited, setIsAwaited] = useState(true);

  const follow = useCallback(async (steps: (isOver: () => boolean) => Promise<Opening>, isRetry = false) => {
    const before = erasures.current;
    const isOver = () => erasures.current !== before;
    const ended = await steps(isOver);
    if (isOver()) return;
    const active = document.activeElement;
    // The element with the focus may go with the words that stand here now.
    const isFree = !isRetry || active === document.body || status.current?.parentElement?.contains(active) === true;
    setIsAwaited(isFree);
    setOpening(ended);
    if (ended.kind === 'opened') told.current(ended.ids, isFree);
  }, []);
  const tryToOpen = useCallback(
    (links: string, isRetry = false) => follow((isOver) => findLinked(links, isOver), isRetry),
    [follow],
  );
  useEffect(() => {
    // What was erased does not come back.
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
  const says = opening && wordsFor(opening);
  const isUnreached = opening !== 'asking' && opening?.kind === 'unreached';
  useEffect(() => {
    if (!isUnreached) return;
    // What is said stays as it is meanwhile, and with it the button that may have the focus.
    const again = () => document.visibilityState === 'visible' && void tryToOpen(text, true);
    addEventListener('online', again);
    document.addEventListener('visibilitychange', again);
    const timer = setInterval(again, TRY_EVERY);
    return () => {
      removeEventListener('online', again);
      document.removeEventListener('visibilitychange', again);
      clearInterval(timer);
    };
  }, [isUnreached, tryToOpen, text]);

  const said = (
    <>
      <div ref={status} role="status" tabIndex={-1}>
        {says && (
          <p>
            <Inline text={says} />
          </p>
        )}
      </div>
      {found && (
        <Confirm
          className={styles['open']}
          question={words.whose(found.linked.length, whoMade(found.linked))}
          words={{ yes: words.showHere, no: words.decline }}
          takesFocus={isAwaited}
          onYes={() => void follow(() => keepLinked(found))}
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
        {said}
        {isUnreached && (
          <button className="button" type="button" onClick={() => void open(given)}>
            <ActWords text={words.retry} />
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
          <label className="label" htmlFor={field}>
            <Inline text={words.paste} />
          </label>
          <textarea id={field} rows={2} required value={typed} onChange={(event) => setTyped(event.target.value)} />
        </div>
        <button className="button plain" type="submit" aria-disabled={opening === 'asking'}>
          <ActWords text={words.open} />
        </button>
        {said}
      </form>
    </details>
  );
}

function wordsFor(opening: Opening | 'asking') {
  if (opening === 'asking') return words.opening;
  if (opening.kind === 'found') return undefined;
  return opening.kind === 'opened' ? words.opened(opening.ids.map(folioOf), opening.closed) : words[opening.kind];
}

/** Names of those who made these quotes, each once; the folio where a call left no name. */
function whoMade(linked: readonly LinkedQuote[]): readonly string[] {
  const people = linked.map(({ quote: { id, nombre, empresa } }) =>
    nombre ? [nombre, empresa && `(${empresa})`].filter(Boolean).join(' ') : folioOf(id),
  );
  return [...new Set(people)];
}
