import type { ElementType, ReactNode } from 'react';
import { spanishWords, type Bilingual as Text } from '../content/bilingual.ts';
import { Translation } from './Translation.tsx';

interface Props {
  readonly text: Text;
  /** Element for the main language. The translation follows in a separate paragraph. */
  readonly as?: ElementType;
  readonly id?: string;
  readonly className?: string | undefined;
  /** Function that renders the text of each language, for example with codes that are not broken into two lines. */
  readonly render?: (words: string) => ReactNode;
}

export function Bilingual({ text, as: Element = 'p', id, className, render = String }: Props) {
  return (
    <>
      <Element id={id} className={className}>
        {render(spanishWords(text))}
      </Element>
      <Translation as="p" text={text} render={render} />
    </>
  );
}
