import type { ReactNode } from 'react';
import { mainWords, type Bilingual } from '../../content/bilingual.ts';
import { deskAnswer } from '../../content/desk-answer.ts';
import { controls } from '../../content/controls.ts';
import { Button, Buttons } from '../../ui/Button.tsx';
import styles from './LeadSheet.module.css';

interface Props {
  readonly title: Bilingual;
  /** Label of the send button. Without a label the form lacks this button, and each control acts at once. */
  readonly send?: Bilingual;
  readonly busy?: boolean;
  readonly onSend?: () => void;
  /** Countdown shown after sending. Until it ends, `onCancel` undoes the action. */
  readonly countdown?: ReactNode;
  readonly onCancel: () => void;
  readonly children: ReactNode;
}

/** Small form for an action on the lead. Escape closes only this form, and the lead stays open. */
export function SubForm({ title, send, busy = false, onSend, countdown, onCancel, children }: Props) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes the form from any control in it
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
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the undo button replaces the button that was pressed
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
