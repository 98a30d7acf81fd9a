import type { Bilingual } from '../content/bilingual.ts';
import styles from './ButtonWords.module.css';
import { Inline } from './Inline.tsx';

/** Words of a button, English below Spanish; the other content of a button is in a row. */
export function ButtonWords({ text }: { readonly text: Bilingual }) {
  return (
    <span className={styles['words']}>
      <Inline text={text} />
    </span>
  );
}
