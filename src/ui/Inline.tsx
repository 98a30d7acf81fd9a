import { spanishWords, type Bilingual } from '../content/bilingual.ts';
import { Translation } from './Translation.tsx';

/** Both languages without paragraphs, for list items, table cells and links. */
export function Inline({ text }: { readonly text: Bilingual }) {
  return (
    <>
      <span>{spanishWords(text)}</span> <Translation text={text} />
    </>
  );
}
