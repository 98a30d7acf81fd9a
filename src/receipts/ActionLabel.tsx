import { englishWords, spanishWords, type Bilingual } from '../content/bilingual.ts';

/**
 * Label of a button in receipt or list: the Spanish text is visible, the English text is a tooltip and for screen
 * readers.
 */
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
