import { englishWords, mainWords, type Bilingual } from '../content/bilingual.ts';

/** Words of a button of receipt or list: Spanish to read, English as its description. */
export function ActionLabel({ text }: { readonly text: Bilingual }) {
  return (
    <span title={englishWords(text)}>
      {mainWords(text)}{' '}
      <span className="hidden" lang="en">
        {englishWords(text)}
      </span>
    </span>
  );
}
