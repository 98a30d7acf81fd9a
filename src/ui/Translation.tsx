import { englishWords } from '../content/bilingual.ts';
import type { ElementType, ReactNode } from 'react';
import type { Bilingual } from '../content/bilingual.ts';

interface Props {
  readonly text: Bilingual;
  readonly as?: ElementType;
  readonly className?: string | undefined;
  /** Function that renders the text, for example with codes that are not broken into two lines. */
  readonly render?: (words: string) => ReactNode;
}

/** English text, marked so that screen readers pronounce it as English. */
export function Translation({ text, as: Element = 'span', className, render = String }: Props) {
  return (
    <Element className={className} lang="en">
      {render(englishWords(text))}
    </Element>
  );
}
