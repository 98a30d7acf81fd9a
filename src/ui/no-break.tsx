import type { ReactNode } from 'react';
import { spanishWords, type Bilingual } from '../content/bilingual.ts';
import { splitAtCodes } from './split-at-codes.ts';
import { Translation } from './Translation.tsx';

/** Renders a text in which folios, codes, ranges, weights and prices are not broken into two lines. */
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

/** Both languages, with folios and prices that are not broken into two lines. */
export function NoBreakInline({ text }: { readonly text: Bilingual }) {
  return (
    <>
      <span>{noBreak(spanishWords(text))}</span> <Translation text={text} render={noBreak} />
    </>
  );
}
