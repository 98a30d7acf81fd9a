import type { ReactNode } from 'react';
import { mainWords, type Bilingual } from '../content/bilingual.ts';
import { Translation } from './Translation.tsx';

const UNBROKEN = /(\d[\d,]* kg|AP-\w{4}-\w{4}|[A-Z]+[–-][A-Z]+|\d+–\d+|[A-Z]{2} [$¥][\d.,]+)/;

/** The text, with folios, codes (PHARMA-PIL, TIJ–CGO), ranges (20–25), weights (1,200 kg) and prices (US $4.10), none of which a line breaks. */
export function whole(text: string): ReactNode {
  return text.split(UNBROKEN).map((part, index) =>
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
