import type { ReactNode } from 'react';
import { mainWords, type Bilingual } from '../content/bilingual.ts';
import { splitWhole } from './split-whole.ts';
import { Translation } from './Translation.tsx';

/** The text with each folio, code, range, weight and price in one piece. */
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

/** As Inline, for what names a folio or a price. */
export function WholeInline({ text }: { readonly text: Bilingual }) {
  return (
    <>
      {whole(mainWords(text))} <Translation text={text} render={whole} />
    </>
  );
}
