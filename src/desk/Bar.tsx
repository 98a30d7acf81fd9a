import { mainWords, type Bilingual as Text, englishWords } from '../content/bilingual.ts';
import { desk as words } from '../content/desk.ts';
import { calls } from '../content/desk-calls.ts';
import { timeInTijuana } from '../lead/tijuana.ts';
import { Bilingual } from '../ui/Bilingual.tsx';
import { Inline } from '../ui/Inline.tsx';
import { useStore } from '../ui/store.ts';
import { Act } from './Act.tsx';
import styles from './Desk.module.css';
import { isNobodyReached, reach, reachInWords } from './presence.ts';
import type { Person } from './session.ts';

export type DialogName = 'keys' | 'new' | 'paste' | 'figures' | 'alerts' | 'leave';

interface Props {
  readonly me: Person;
  readonly isFresh: boolean;
  readonly heardAt: number | undefined;
  readonly onOpen: (dialog: DialogName) => void;
  readonly onLeave: () => void;
}

/** Across the top: whether the list is right, who is here and can be told, and what opens beside it. */
export function Bar({ me, isFresh, heardAt, onOpen, onLeave }: Props) {
  const team = useStore(reach);
  return (
    <header className={`night ${styles['bar']}`}>
      <h1 className={styles['title']}>
        <Inline text={words.title} />
      </h1>
      <p className={styles['fresh']} data-fresh={isFresh && heardAt ? '' : undefined} role="status">
        <Bilingual as="span" text={freshness(isFresh, heardAt)} />
      </p>
      <p className={styles['person']}>{me.name}</p>
      <div className={styles['ways']}>
        <Act words={calls.open} onClick={() => onOpen('new')} />
        <Act words={words.paste.open} onClick={() => onOpen('paste')} />
        <Act words={words.figures.open} onClick={() => onOpen('figures')} />
        <Act words={words.alerts.open} onClick={() => onOpen('alerts')} />
        <Act words={words.keys.open} data-keys="" onClick={() => onOpen('keys')} />
        <Act words={words.change} onClick={onLeave} />
      </div>
      {team && (
        <p className={styles['reach']} title={englishWords(reachInWords(team))}>
          {mainWords(reachInWords(team))}
          {isNobodyReached(team) && (
            <b title={englishWords(words.reach.unreached)}> · {mainWords(words.reach.unreached)}</b>
          )}
        </p>
      )}
    </header>
  );
}

function freshness(isFresh: boolean, heardAt: number | undefined): Text {
  if (isFresh) return heardAt ? words.fresh : words.asking;
  return heardAt ? words.stale(timeInTijuana(heardAt)) : words.neverHeard;
}
