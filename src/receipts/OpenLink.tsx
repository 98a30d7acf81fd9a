import { useCallback, useEffect, useId, useRef, useState } from 'react';
import { ERASED } from '../agreements.ts';
import { links as words } from '../content/links.ts';
import { folioOf } from '../lead/folio.ts';
import { ButtonWords } from '../ui/ButtonWords.tsx';
import { Inline } from '../ui/Inline.tsx';
import { openLinks, type Opening } from './open-link.ts';
import styles from './OpenLink.module.css';

const TRY_EVERY = 20_000;

interface Props {
  /** The address that was opened; without it, links are pasted. */
  readonly given?: string;
  /** `isAwaited`: nobody does anything else meanwhile. */
  readonly onOpened: (ids: readonly string[], isAwaited: boolean) => void;
}

/** Brings quotes here that were sent from another phone, and says how that ended. */
export function OpenLink({ given, onOpened }: Props) {
  const field = useId();
  const [typed, setTyped] = useState('');
  const [opening, setOpening] = useState<Opening | 'asking'>();
  const text = given ?? typed;
  const told = useRef(onOpened);
  useEffect(() => void (told.current = onOpened));

  const status = useRef<HTMLDivElement>(null);
  const erasures = useRef(0);

  const tryToOpen = useCallback(async (links: string, isRetry = false) => {
    const before = erasures.current;
    const isOver = () => erasures.current !== before;
    const ended = await openLinks(links, isOver);
    if (isOver()) return;
    const active = document.activeElement;
    // As it is now: what has the focus here may go with what is said.
    const isAwaited = !isRetry || active === document.body || status.current?.parentElement?.contains(active) === true;
    setOpening(ended);
    if (ended.kind === 'opened') told.current(ended.ids, isAwaited);
  }, []);
  useEffect(() => {
    // What was erased does not come back.
    const onStorage = ({ key }: StorageEvent) => {
      if (key !== ERASED) return;
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
    <div ref={status} role="status">
      {opening && (
        <p>
          <Inline text={wordsFor(opening)} />
        </p>
      )}
    </div>
  );
  if (given)
    return (
      <div className={styles['open']}>
        {said}
        {isUnreached && (
          <button className="button" type="button" onClick={() => void open(given)}>
            <ButtonWords text={words.again} />
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
          <ButtonWords text={words.open} />
        </button>
        {said}
      </form>
    </details>
  );
}

function wordsFor(opening: Opening | 'asking') {
  if (opening === 'asking') return words.opening;
  return opening.kind === 'opened' ? words.opened(opening.ids.map(folioOf), opening.closed) : words[opening.kind];
}
