import { benefits } from '../content/benefits.ts';
import { Bilingual } from '../ui/Bilingual.tsx';
import { Inline } from '../ui/Inline.tsx';
import { Section } from '../ui/Section.tsx';
import styles from './Benefits.module.css';

export function Benefits() {
  return (
    <Section id="beneficios" className="night" title={benefits.title} flown={0.22}>
      <ul className={styles['ledger']}>
        {benefits.items.map(({ figure, name, text }) => (
          <li key={figure}>
            <h3>
              <span className="figure">{figure}</span> <Inline text={name} />
            </h3>
            <Bilingual text={text} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
