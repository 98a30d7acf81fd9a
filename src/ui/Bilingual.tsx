import type { ElementType, ReactNode } from 'react';
import type { Bilingual as Text } from '../content/bilingual.ts';

interface Props {
  readonly text: Text;
  /** What holds the Spanish; the English follows in its own paragraph. */
  readonly as?: ElementType;
  readonly id?: string;
  readonly className?: string | undefined;
  /** Makes more of the words than their letters. */
  readonly render?: (words: string) => ReactNode;
}

export function Bilingual({ text, as: Spanish = 'p', id, className, render = String }: Props) {
  return (
    <>
      <Spanish id={id} className={className}>
        {render(text.es)}
      </Spanish>
      <p lang="en">{render(text.en)}</p>
    </>
  );
}
