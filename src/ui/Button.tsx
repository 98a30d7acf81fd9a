import type { ComponentProps, ReactNode } from 'react';
import { mainWords, type Bilingual, englishWords } from '../content/bilingual.ts';
import styles from './Button.module.css';
import { ButtonWords } from './ButtonWords.tsx';

/** `one`: Spanish text, with English as the tooltip. `two`: English below the Spanish text. */
export type Languages = 'one' | 'two';

type Props = { readonly words: Bilingual; readonly quiet?: boolean; readonly languages?: Languages } & Omit<
  ComponentProps<'button'>,
  'className' | 'title'
>;

export function Button({ words, quiet = true, languages = 'one', children, ...rest }: Props) {
  return (
    <button
      type="button"
      className={quiet ? 'button plain' : 'button'}
      title={languages === 'one' ? englishWords(words) : undefined}
      {...rest}
    >
      {children}
      {languages === 'one' ? mainWords(words) : <ButtonWords text={words} />}
    </button>
  );
}

export const Buttons = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles['row']}>{children}</div>
);

export const LinkButton = (props: Omit<ComponentProps<'button'>, 'className'>) => (
  <button type="button" className={styles['link']} {...props} />
);

/** Small button beside a field that fills in a value, such as a day or a price. */
export const Chip = (props: Omit<ComponentProps<'button'>, 'className'>) => (
  <button type="button" className={styles['chip']} {...props} />
);
