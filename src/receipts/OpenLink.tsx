import { useCallback, useEffect, useId, useRef, useState } from 'react';
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
  readonly onOpened: (ids: readonly string[]) => void;
}

/** Brings quotes here that were sent from another phone, and says how that ended. */
export function OpenLink({ given, onOpened }: Props) {
  const field = useId();
  const [typed, setTyped] = useState('');
  const [opening, setOpening] = useState<Opening | 'asking'>();
  const text = given ?? typed;
  const told = useRef(onOpened);
  useEffect(() => void (told.current = onOpened));

  const tryToOpen = useCallback(async (links: string) => {
    const ended = await openLinks(links);
    setOpening(ended);
    if (ended.kind === 'opened') told.current(ended.ids);
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
    const again = () => document.visibilityState === 'visible' && void tryToOpen(text);
    addEventListener('online', again);
    document.addEventListener('visibilitychange', again);
    const timer = setInterval(again, TRY_EVERY);
    return () => {
      removeEventListener('online', again);
      document.removeEventListener('visibilitychange', again);
      clearInterval(timer);
    };
  }, [isUnreached, tryToOpen, text]);

  const status = (
    <div role="status">
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
        {status}
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
        {status}
      </form>
    </details>
  );
}

function wordsFor(opening: Opening | 'asking') {
  if (opening === 'asking') return words.opening;
  return opening.kind === 'opened' ? words.opened(opening.ids.map(folioOf), opening.closed) : words[opening.kind];
}
