import type { ReactNode } from 'react';
import type { Bilingual } from '../content/bilingual.ts';
import { Inline } from '../ui/Inline.tsx';
import styles from './Bubble.module.css';

interface Props {
  readonly words: { readonly title: Bilingual; readonly text: Bilingual };
}

/** Silent: whoever does not see it hears it as the description of the button. */
export function Bubble({ words: { title, text } }: Props) {
  return (
    <div className={styles['bubble']} aria-hidden="true">
      <b>{title.es}</b>
      <p>
        <Inline text={text} />
      </p>
    </div>
  );
}

/** The later one lies over the earlier: neither moves when the other comes or goes. */
export function Bubbles({ children }: { readonly children: ReactNode }) {
  return <div className={styles['bubbles']}>{children}</div>;
}
