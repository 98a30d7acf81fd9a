import type { ReactNode } from 'react';
import type { Bilingual as Words } from '../content/bilingual.ts';
import { Bilingual } from './Bilingual.tsx';
import { Inline } from './Inline.tsx';
import styles from './InternalPage.module.css';

interface Props {
  readonly words: { readonly back: Words; readonly title: string; readonly subtitle: Words };
  readonly titleIn?: 'en';
  readonly className: string | undefined;
  readonly children: ReactNode;
}

export function InternalPage({ words, titleIn, className, children }: Props) {
  return (
    <main className={`${styles['page']} ${className}`}>
      <header>
        <a href="/">
          <Inline text={words.back} />
        </a>
        <h1 lang={titleIn}>{words.title}</h1>
        <Bilingual className={styles['subtitle']} text={words.subtitle} />
      </header>
      {children}
    </main>
  );
}
