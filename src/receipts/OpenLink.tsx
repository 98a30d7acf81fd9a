import { useCallback, useEffect, useId, useRef, useState } from 'react';
import { links as words } from '../content/links.ts';
import { folioOf } from '../lead/folio.ts';
import { ButtonWords } from '../ui/ButtonWords.tsx';
import { Inline } from '../ui/Inline.tsx';
import { openLinks, type Opening } from './open-link.ts';
import styles from './OpenLink.module.css';

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

  const open = useCallback(async (links: string) => {
    setOpening('asking');
    const ended = await openLinks(links);
    setOpening(ended);
    if (ended.kind === 'opened') told.current(ended.ids);
  }, []);
  useEffect(() => void (given && open(given)), [given, open]);

  const isUnreached = opening !== 'asking' && opening?.kind === 'unreached';
  useEffect(() => {
    if (!isUnreached) return;
    const again = () => void open(text);
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, [isUnreached, open, text]);

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
