import { englishWords } from '../content/bilingual.ts';
import type { ElementType, ReactNode } from 'react';
import type { Bilingual } from '../content/bilingual.ts';

interface Props {
  readonly text: Bilingual;
  readonly as?: ElementType;
  readonly className?: string | undefined;
  /** Makes more of the words than their letters. */
  readonly render?: (words: string) => ReactNode;
}

/** A text in the language that the page is not in: marked, so that it is read aloud as what it is. */
export function Translation({ text, as: Element = 'span', className, render = String }: Props) {
  return (
    <Element lang="en" className={className}>
      {render(englishWords(text))}
    </Element>
  );
}
