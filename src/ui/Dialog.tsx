import { useEffect, useId, useRef, type ReactNode } from 'react';
import { englishWords, mainWords, type Bilingual as Text } from '../content/bilingual.ts';
import { controls } from '../content/controls.ts';
import { Bilingual } from './Bilingual.tsx';
import styles from './Dialog.module.css';

interface Props {
  readonly title: Text;
  /**
   * True for a dialog with a table. The dialog itself gets the focus, not the first field, so it is shown from its top.
   */
  readonly isWide?: boolean;
  readonly onClose: () => void;
  /** Buttons in a row that stays visible at the bottom of the dialog. */
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
      {/* A <header> here would count as a second banner of the page, because the dialog is outside <main>. */}
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
