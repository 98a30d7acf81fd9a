import type { ReactNode } from 'react';
import { spanishWords, type Bilingual } from '../content/bilingual.ts';
import { splitWhole } from './split-whole.ts';
import { Translation } from './Translation.tsx';

/** Text whose folios, codes, ranges, weights and prices do not break. */
export function whole(text: string): ReactNode {
  return splitWhole(text).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <span key={index} className="whole">
        {part}
      </span>
    ),
  );
}

/** Inline with unbreakable folios and prices. */
export function WholeInline({ text }: { readonly text: Bilingual }) {
  return (
    <>
      <span>{whole(spanishWords(text))}</span> <Translation text={text} render={whole} />
    </>
  );
}
