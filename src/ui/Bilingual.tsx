import type { ElementType } from 'react';
import type { Bilingual as Text } from '../content/bilingual.ts';

interface Props {
  readonly text: Text;
  /** What holds the Spanish; the English follows in its own paragraph. */
  readonly as?: ElementType;
  readonly id?: string;
  readonly className?: string | undefined;
}

export function Bilingual({ text, as: Spanish = 'p', id, className }: Props) {
  return (
    <>
      <Spanish id={id} className={className}>
        {text.es}
      </Spanish>
      <p lang="en">{text.en}</p>
    </>
  );
}
