import type { ReactNode } from 'react';
import { mainWords, type Bilingual } from '../../content/bilingual.ts';
import { deskAnswer } from '../../content/desk-answer.ts';
import { controls } from '../../content/controls.ts';
import { Button, Buttons } from '../../ui/Button.tsx';
import styles from './LeadSheet.module.css';

interface Props {
  readonly title: Bilingual;
  /** Label of the send button; without a label the form has no send button, and each field acts at once. */
  readonly send?: Bilingual;
  readonly busy?: boolean;
  readonly onSend?: () => void;
  /** Countdown after sending; until it ends `onCancel` undoes the action. */
  readonly countdown?: ReactNode;
  readonly onCancel: () => void;
  readonly children: ReactNode;
}

/** Small form of an action on the lead. Escape closes the form, but not the lead. */
export function SubForm({ title, send, busy = false, onSend, countdown, onCancel, children }: Props) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes from any control in here
    <form
      className={styles['sub']}
      aria-label={mainWords(title)}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) onSend?.();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onCancel();
      }}
    >
      {countdown ?? children}
      <Buttons>
        {countdown ? (
          // The key prevents React from reusing the send button, which would keep its state.
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- it replaces the button that was pressed
          <Button key="undo" autoFocus words={deskAnswer.undo} onClick={onCancel} />
        ) : (
          <>
            {send && <Button words={send} quiet={false} type="submit" aria-busy={busy} />}
            <Button words={controls.cancel} onClick={onCancel} />
          </>
        )}
      </Buttons>
    </form>
  );
}
