import type { ReactNode } from 'react';
import type { Bilingual as Text } from '../content/bilingual.ts';
import { controls } from '../content/controls.ts';
import { Bilingual } from './Bilingual.tsx';
import { Button, Buttons, type Languages } from './Button.tsx';
import styles from './Confirm.module.css';

interface Props {
  readonly question: Text;
  readonly yes: Text;
  readonly busy?: boolean;
  readonly languages?: Languages;
  readonly onYes: () => void;
  readonly onNo: () => void;
  readonly children?: ReactNode;
}

/** Asks for confirmation of an action that cannot be undone. Escape means no. */
export function Confirm({ question, yes, busy = false, languages = 'one', onYes, onNo, children }: Props) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape answers from any control in here
    <div
      className={styles['confirm']}
      aria-busy={busy}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onNo();
      }}
    >
      <Bilingual text={question} />
      {children}
      <Buttons>
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- a press on the button that was here asked for it */}
        <Button autoFocus quiet={false} words={yes} languages={languages} onClick={onYes} />
        <Button words={controls.cancel} languages={languages} onClick={onNo} />
      </Buttons>
    </div>
  );
}
