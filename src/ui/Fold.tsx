import type { ReactNode } from 'react';
import type { Bilingual } from '../content/bilingual.ts';
import { Inline } from './Inline.tsx';
import styles from './Fold.module.css';

interface Props {
  readonly title: Bilingual;
  /** Facts that the closed fold shows beside its title. */
  readonly brief?: ReactNode;
  readonly isOpen?: boolean;
  readonly children: ReactNode;
}

/** A line that unfolds, also without script. */
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
