import { mainWords, type Bilingual } from '../content/bilingual.ts';
import { Translation } from './Translation.tsx';

/** Where no paragraph may stand: in a list entry, a cell, a link. */
export function Inline({ text }: { readonly text: Bilingual }) {
  return (
    <>
      {`${mainWords(text)} `}
      <Translation text={text} />
    </>
  );
}
