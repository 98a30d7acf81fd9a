import { englishWords } from '../../content/bilingual.ts';
import type { ReactNode } from 'react';
import { config, formAction } from '../../config.ts';
import { noScriptForm } from '../../content/no-script-form.ts';
import { quote } from '../../content/quote.ts';
import { Bilingual } from '../../ui/Bilingual.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Inline } from '../../ui/Inline.tsx';
import { Section } from '../../ui/Section.tsx';
import styles from './QuoteSection.module.css';

export function QuoteSection({ children }: { readonly children: ReactNode }) {
  const { tiles, contents, security } = quote;
  return (
    <Section id="contact-form" title={quote.title}>
      <ul className={styles['tiles']}>
        {tiles.map(({ icon, name }) => (
          <li key={icon}>
            <Icon name={icon} />
            <div>
              <Inline text={name} />
            </div>
          </li>
        ))}
      </ul>
      <div className={`${styles['waybill']} stub`}>
        <div className={styles['form']}>
          {children}
          {!formAction && (
            <noscript>
              <Bilingual text={noScriptForm.withoutScript} />
              <p>
                {config.company.phone} · {config.company.email}
              </p>
            </noscript>
          )}
        </div>
        <div className={styles['copy']}>
          <Bilingual as="h3" text={contents.title} />
          <ul>
            {contents.items.map((entry) => (
              <li key={englishWords(entry)}>
                <Inline text={entry} />
              </li>
            ))}
          </ul>
          <div className={styles['security']}>
            <Icon name="lock" />
            <div>
              <Bilingual text={security.text} />
              <a href="/privacidad.html">{security.link}</a>
            </div>
          </div>
        </div>
      </div>
    </Section>
  );
}
