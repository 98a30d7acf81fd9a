import type { ReactNode } from 'react';
import { mainWords, type Bilingual } from '../content/bilingual.ts';
import { Inline } from '../ui/Inline.tsx';
import styles from './SheetSection.module.css';

export const SheetSection = ({ title, children }: { readonly title: Bilingual; readonly children: ReactNode }) => (
  <section className={styles['part']} aria-label={mainWords(title)}>
    <h3 className="label">
      <Inline text={title} />
    </h3>
    {children}
  </section>
);
