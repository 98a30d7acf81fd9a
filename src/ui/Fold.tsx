import type { ReactNode } from 'react';
import type { Bilingual } from '../content/bilingual.ts';
import { Inline } from './Inline.tsx';
import styles from './Fold.module.css';

interface Props {
  readonly title: Bilingual;
  /** Facts that are shown beside the title while the section is closed. */
  readonly brief?: ReactNode;
  readonly isOpen?: boolean;
  readonly children: ReactNode;
}

/** Section that opens and closes, even without scripts. */
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
