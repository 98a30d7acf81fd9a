import type { ReactNode } from 'react';
import type { Bilingual } from '../content/bilingual.ts';
import { Inline } from './Inline.tsx';
import styles from './Fold.module.css';

interface Props {
  readonly title: Bilingual;
  /** Facts beside the title of a closed fold. */
  readonly brief?: ReactNode;
  readonly isOpen?: boolean;
  readonly children: ReactNode;
}

/** Section that unfolds, also without scripts. */
export function Fold({ title, brief, isOpen = false, children }: Props) {
  return (
    <details className={styles['fold']} open={isOpen}>
      <summary>
        <span className={styles['title']}>
          <Inline text={title} />
        </span>
        {brief && <span className={styles['brief']}>{brief}</span>}
      </summary>
      <div className={styles['folded']}>{children}</div>
    </details>
  );
}
