import type { ReactNode } from 'react';
import type { Bilingual } from '../content/bilingual.ts';
import { Inline } from '../ui/Inline.tsx';

interface Props {
  readonly label: Bilingual;
  readonly wide?: boolean;
  readonly children: ReactNode;
}

/** A box of a form, with its name inside. */
export function Labelled({ label, wide, children }: Props) {
  return (
    <label className="field" data-wide={wide ? '' : undefined}>
      <span className="label">
        <Inline text={label} />
      </span>
      {children}
    </label>
  );
}
