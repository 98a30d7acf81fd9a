import type { Bilingual } from '../content/bilingual.ts';
import styles from './ButtonWords.module.css';
import { Inline } from './Inline.tsx';

/** Text of a button, with English below the Spanish. One element contains both, so that an icon is beside both. */
export function ButtonWords({ text }: { readonly text: Bilingual }) {
  return (
    <span className={styles['words']}>
      <Inline text={text} />
    </span>
  );
}
