import { config, noticeFacts, noticeVersion } from '../../config.ts';
import { mainWords } from '../../content/bilingual.ts';
import { back, notFound, privacy, terms, type Handling, type LegalText } from '../../content/legal.ts';
import { navigation } from '../../content/navigation.ts';
import { Bilingual } from '../../ui/Bilingual.tsx';
import { Inline } from '../../ui/Inline.tsx';
import { FlightArc } from '../../ui/FlightArc.tsx';
import { Footer } from './Footer.tsx';
import styles from './Legal.module.css';

export function PrivacyPage() {
  const text = privacy(config.company, JSON.parse(noticeFacts) as Handling);
  return <LegalPage text={{ ...text, updated: `${text.updated} · Versión ${noticeVersion}` }} handling={noticeFacts} />;
}

export function TermsPage() {
  return <LegalPage text={terms(config.company)} />;
}

export function NotFoundPage() {
  return (
    <>
      <main className={styles['sheet']}>
        <FlightArc flown={0.5} />
        <Bilingual as="h1" text={notFound.title} />
        <Bilingual text={notFound.text} />
        <a className="button" href="/">
          {mainWords(back)}
        </a>
      </main>
      <Footer />
    </>
  );
}

/**
 * `handling`: facts in the privacy notice about the use of personal data. The server reads them from an attribute and
 * compares them with its settings.
 */
function LegalPage({ text, handling }: { readonly text: LegalText; readonly handling?: string }) {
  return (
    <>
      <a className="skip" href="#contenido">
        {navigation.skip}
      </a>
      <header className={styles['head']}>
        <a href="/">
          <Inline text={back} />
        </a>
      </header>
      <main className={styles['sheet']} id="contenido">
        <FlightArc flown={1} />
        <Bilingual as="h1" text={text.title} />
        <p className="label" data-handling={handling}>
          {text.updated}
        </p>
        <p className={styles['summary']} lang="en">
          {text.summary}
        </p>
        {text.clauses.map(({ title, text: body, list }) => (
          <section key={title}>
            <h2>{title}</h2>
            {list && (
              <ul>
                {list.map((item) => (
                  <li key={item}>{item}</li>
                ))}
              </ul>
            )}
            {body && <p>{body}</p>}
          </section>
        ))}
      </main>
      <Footer />
    </>
  );
}
