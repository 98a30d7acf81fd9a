import { englishWords, spanishWords, type Bilingual } from '../content/bilingual.ts';

/**
 * Label of a button in a receipt or in the list. The Spanish text is visible; the English text is a tooltip, and screen
 * readers read it too.
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
