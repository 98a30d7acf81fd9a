import { englishWords, spanishWords, type Bilingual } from '../content/bilingual.ts';

/** Label of a button in receipt or list: Spanish as text, English for screen readers and as tooltip. */
export function ActionLabel({ text }: { readonly text: Bilingual }) {
  return (
    <span title={englishWords(text)}>
      <span>{spanishWords(text)}</span>{' '}
      <span className="hidden" lang="en">
        {englishWords(text)}
      </span>
    </span>
  );
}
