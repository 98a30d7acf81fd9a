import { services } from '../content/services.ts';
import { Bilingual } from '../ui/Bilingual.tsx';
import { Section } from '../ui/Section.tsx';
import styles from './Services.module.css';

export function Services() {
  return (
    <Section id="servicios" title={services.title} flown={0.1}>
      <ol className={styles['manifest']}>
        {services.items.map(({ mark, name, text }) => (
          <li key={mark}>
            <div>
              <Bilingual as="h3" text={name} />
            </div>
            <div>
              <Bilingual text={text} />
            </div>
            <b className="label">{mark}</b>
          </li>
        ))}
      </ol>
    </Section>
  );
}
