import type { ReactNode } from 'react';
import type { Bilingual as Text } from '../content/bilingual.ts';
import { Bilingual } from './Bilingual.tsx';
import { Leg } from './Leg.tsx';
import styles from './Section.module.css';

interface Props {
  readonly id: string;
  readonly title: Text;
  /** How much of the way from Tijuana to Zhengzhou lies behind the reader, 0 to 1. */
  readonly flown: number;
  readonly className?: string | undefined;
  readonly intro?: Text;
  readonly children: ReactNode;
}

export function Section({ id, title, flown, className, intro, children }: Props) {
  const heading = `${id}-titulo`;
  return (
    <section id={id} className={[styles['section'], className].filter(Boolean).join(' ')} aria-labelledby={heading}>
      <header>
        <Leg flown={flown} />
        <Bilingual as="h2" id={heading} text={title} />
        {intro && <Bilingual className={styles['intro']} text={intro} />}
      </header>
      {children}
    </section>
  );
}
