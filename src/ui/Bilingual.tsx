import type { ElementType, ReactNode } from 'react';
import { mainWords, type Bilingual as Text } from '../content/bilingual.ts';
import { Translation } from './Translation.tsx';

interface Props {
  readonly text: Text;
  /** The element around the main language; the other follows in its own paragraph. */
  readonly as?: ElementType;
  readonly id?: string;
  readonly className?: string | undefined;
  /** Makes more of the words than their letters. */
  readonly render?: (words: string) => ReactNode;
}

export function Bilingual({ text, as: Element = 'p', id, className, render = String }: Props) {
  return (
    <>
      <Element id={id} className={className}>
        {render(mainWords(text))}
      </Element>
      <Translation as="p" text={text} render={render} />
    </>
  );
}
