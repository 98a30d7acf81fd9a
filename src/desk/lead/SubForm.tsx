import type { ReactNode } from 'react';
import { mainWords, type Bilingual } from '../../content/bilingual.ts';
import { controls } from '../../content/controls.ts';
import { Button, Buttons } from '../../ui/Button.tsx';
import styles from './LeadSheet.module.css';

interface Props {
  readonly title: Bilingual;
  /** None where the fields act by themselves. */
  readonly send?: Bilingual;
  readonly busy?: boolean;
  readonly onSend?: () => void;
  readonly onCancel: () => void;
  readonly children: ReactNode;
}

/** A small form that an action of the lead opens. Escape closes it alone, not the lead. */
export function SubForm({ title, send, busy = false, onSend, onCancel, children }: Props) {
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
      {children}
      <Buttons>
        {send && <Button words={send} quiet={false} type="submit" aria-busy={busy} />}
        <Button words={controls.cancel} onClick={onCancel} />
      </Buttons>
    </form>
  );
}
