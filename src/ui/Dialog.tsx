import { useEffect, useId, useRef, type ReactNode } from 'react';
import { englishWords, mainWords, type Bilingual as Text } from '../content/bilingual.ts';
import { controls } from '../content/controls.ts';
import { Bilingual } from './Bilingual.tsx';
import styles from './Dialog.module.css';

interface Props {
  readonly title: Text;
  /** True for a dialog with a table, whose focus starts at the top. */
  readonly isWide?: boolean;
  readonly onClose: () => void;
  /** Buttons in a row at the bottom that stays in view. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Dialog({ title, isWide, onClose, actions, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    if (isWide) dialog.current?.focus();
    else dialog.current?.querySelector<HTMLElement>('[data-body] :is(input, select, textarea, button)')?.focus();
    return () => void (opener instanceof HTMLElement && opener.isConnected && opener.focus());
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
      {/* No <header>: in a dialog outside <main> it would be a second banner. */}
      <div className={styles['head']}>
        <div>
          <Bilingual as="h2" id={id} text={title} />
        </div>
        <button
          type="button"
          className={styles['close']}
          aria-label={mainWords(controls.close)}
          title={englishWords(controls.close)}
          onClick={() => dialog.current?.close()}
        >
          ×
        </button>
      </div>
      <div data-body="" className={styles['body']}>
        {children}
      </div>
      {actions && <footer className={styles['actions']}>{actions}</footer>}
    </dialog>
  );
}
