import type { Bilingual } from '../content/bilingual.ts';
import styles from './ButtonWords.module.css';
import { Inline } from './Inline.tsx';

/** The words of a button: one language beneath the other, where all else of it lies in a row. */
export function ButtonWords({ text }: { readonly text: Bilingual }) {
  return (
    <span className={styles['words']}>
      <Inline text={text} />
    </span>
  );
}
