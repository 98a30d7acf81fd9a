import type { ReactNode } from 'react';
import type { Bilingual as Text } from '../content/bilingual.ts';
import { Bilingual } from './Bilingual.tsx';
import styles from './Section.module.css';

interface Props {
  readonly id: string;
  readonly title: Text;
  readonly className?: string | undefined;
  readonly intro?: Text;
  readonly children: ReactNode;
}

export function Section({ id, title, className, intro, children }: Props) {
  const heading = `${id}-titulo`;
  return (
    <section id={id} className={[styles['section'], className].filter(Boolean).join(' ')} aria-labelledby={heading}>
      <header>
        <Bilingual as="h2" id={heading} text={title} />
        {intro && <Bilingual className={styles['intro']} text={intro} />}
      </header>
      {children}
    </section>
  );
}
