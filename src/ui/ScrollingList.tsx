import type { ReactNode } from 'react';
import styles from './ScrollingList.module.css';

interface Props {
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** List that scrolls sideways, beyond the edge of the screen. */
export function ScrollingList({ className, children }: Props) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must do so by keyboard too
    <ul className={[styles['roll'], className].filter(Boolean).join(' ')} tabIndex={0}>
      {children}
    </ul>
  );
}
