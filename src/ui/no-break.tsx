import type { ReactNode } from 'react';
import { spanishWords, type Bilingual } from '../content/bilingual.ts';
import { splitAtCodes } from './split-at-codes.ts';
import { Translation } from './Translation.tsx';

/** Text whose folios, codes, ranges, weights and prices do not break. */
export function noBreak(text: string): ReactNode {
  return splitAtCodes(text).map((part, index) =>
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
export function NoBreakInline({ text }: { readonly text: Bilingual }) {
  return (
    <>
      <span>{noBreak(spanishWords(text))}</span> <Translation text={text} render={noBreak} />
    </>
  );
}
