import { englishWords } from '../../content/bilingual.ts';
import { process } from '../../content/process.ts';
import { Bilingual } from '../../ui/Bilingual.tsx';
import { Drawing } from '../../ui/Drawing.tsx';
import { Section } from '../../ui/Section.tsx';
import { noBreak } from '../../ui/no-break.tsx';
import styles from './Process.module.css';

export function Process() {
  return (
    <Section id="como-funciona" title={process.title}>
      <Drawing name="route" width={320} height={112} className={styles['route']} />
      <ol className={styles['line']}>
        {process.steps.map(({ name, text }) => (
          <li key={englishWords(name)}>
            <Bilingual as="h3" text={name} render={noBreak} />
            <Bilingual text={text} />
          </li>
        ))}
      </ol>
    </Section>
  );
}
