import type { ReactNode } from 'react';
import type { Bilingual } from '../content/bilingual.ts';
import { Inline } from '../ui/Inline.tsx';

interface Props {
  readonly label: Bilingual;
  readonly children: ReactNode;
}

/** A box of a form, with its name inside. */
export function Labelled({ label, children }: Props) {
  return (
    <label className="field">
      <span className="label">
        <Inline text={label} />
      </span>
      {children}
    </label>
  );
}
