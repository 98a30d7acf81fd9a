import type { ComponentProps } from 'react';
import { mainWords, type Bilingual } from '../content/bilingual.ts';

type Props = { readonly words: Bilingual; readonly quiet?: boolean } & Omit<
  ComponentProps<'button'>,
  'className' | 'title'
>;

/** A button of the desk: one language on it, the other in its title, because dozens of them stand on one screen. */
export function Act({ words, quiet = true, ...rest }: Props) {
  return (
    <button type="button" className={quiet ? 'button plain' : 'button'} title={words.en} {...rest}>
      {mainWords(words)}
    </button>
  );
}
