import type { ComponentProps, ReactNode } from 'react';
import { mainWords, type Bilingual, englishWords } from '../content/bilingual.ts';
import styles from './Act.module.css';

type Props = { readonly words: Bilingual; readonly quiet?: boolean } & Omit<
  ComponentProps<'button'>,
  'className' | 'title'
>;

/** A button of the desk: one language on it, the other in its title, because dozens of them stand on one screen. */
export function Act({ words, quiet = true, ...rest }: Props) {
  return (
    <button type="button" className={quiet ? 'button plain' : 'button'} title={englishWords(words)} {...rest}>
      {mainWords(words)}
    </button>
  );
}

/** Several of them beside each other. */
export const Acts = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles['acts']}>{children}</div>
);

/** One that reads as a link: it opens what it names. */
export const Link = (props: Omit<ComponentProps<'button'>, 'className'>) => (
  <button type="button" className={styles['link']} {...props} />
);
