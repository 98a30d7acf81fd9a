import { useEffect, useEffectEvent, useState } from 'react';
import { mainWords, type Bilingual } from '../content/bilingual.ts';
import styles from './Countdown.module.css';

const TICK = 250;

interface Props {
  /** Time of this device's clock at which the action runs. */
  readonly until: number;
  /** Milliseconds from the press to the action. */
  readonly total: number;
  readonly words: (seconds: number) => Bilingual;
  readonly onEnd?: () => void;
}

/** Seconds until an action that can still be cancelled, with a bar that shrinks. */
export function Countdown({ until, total, words, onEnd }: Props) {
  const end = useEffectEvent(() => onEnd?.());
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK);
    return () => clearInterval(timer);
  }, []);
  const left = Math.max(0, until - now);
  const isOver = left === 0;
  useEffect(() => {
    if (isOver) end();
  }, [isOver]);
  return (
    <div className={styles['countdown']} aria-hidden="true">
      <p>{mainWords(words(Math.ceil(left / 1000)))}</p>
      <div style={{ scale: `${left / total} 1` }} />
    </div>
  );
}
