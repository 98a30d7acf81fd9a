import type { ComponentProps } from 'react';
import type { Bilingual } from '../content/bilingual.ts';
import { Inline } from '../ui/Inline.tsx';
import styles from './Choice.module.css';

type Props = { readonly label: Bilingual } & Omit<ComponentProps<'input'>, 'type' | 'className'>;

/** What is on or off, a row for itself. */
export const Choice = ({ label, ...input }: Props) => (
  <label className={styles['choice']}>
    <input type="checkbox" {...input} />
    <span>
      <Inline text={label} />
    </span>
  </label>
);
