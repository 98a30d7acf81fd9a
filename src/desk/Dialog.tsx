import { useEffect, useId, useRef, type ReactNode } from 'react';
import type { Bilingual as Text } from '../content/bilingual.ts';
import { desk as words } from '../content/desk.ts';
import { Bilingual } from '../ui/Bilingual.tsx';
import { Act } from './Act.tsx';
import styles from './Dialog.module.css';

interface Props {
  readonly title: Text;
  /** Holds a table. */
  readonly isWide?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function Dialog({ title, isWide, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    dialog.current?.showModal();
    if (!isWide) return;
    // Its first control stands below what is to be read first.
    dialog.current?.focus();
    dialog.current?.scrollTo(0, 0);
  }, [isWide]);
  return (
    <dialog
      ref={dialog}
      className={styles['dialog']}
      data-wide={isWide ? '' : undefined}
      tabIndex={isWide ? -1 : undefined}
      aria-labelledby={id}
      onClose={onClose}
    >
      <Bilingual as="h2" id={id} text={title} />
      {children}
      <div className={styles['end']}>
        <Act words={words.keys.close} onClick={() => dialog.current?.close()} />
      </div>
    </dialog>
  );
}
