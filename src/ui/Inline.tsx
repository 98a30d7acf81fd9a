import type { Bilingual } from '../content/bilingual.ts';

/** Where no paragraph may stand: in a list entry, a cell, a link. */
export function Inline({ text }: { readonly text: Bilingual }) {
  return (
    <>
      {`${text.es} `}
      <span lang="en">{text.en}</span>
    </>
  );
}
