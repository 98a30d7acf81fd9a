import type { ComponentProps } from 'react';
import type { Bilingual } from '../content/bilingual.ts';
import styles from './Choice.module.css';
import { Inline } from './Inline.tsx';

type Props = { readonly label: Bilingual; readonly type?: 'checkbox' | 'radio' } & Omit<
  ComponentProps<'input'>,
  'type' | 'className'
>;

/** Checkbox or radio button with its label, in a separate row. */
export const Choice = ({ label, type = 'checkbox', ...input }: Props) => (
  <label className={styles['choice']}>
    <input type={type} {...input} />
    <span>
      <Inline text={label} />
    </span>
  </label>
);
