import { services } from '../../content/services.ts';
import { Bilingual } from '../../ui/Bilingual.tsx';
import { Drawing } from '../../ui/Drawing.tsx';
import { Inline } from '../../ui/Inline.tsx';
import { Section } from '../../ui/Section.tsx';
import styles from './Services.module.css';

export function Services() {
  return (
    <Section id="servicios" title={services.title}>
      <figure className={styles['journey']}>
        <Drawing name="cold-chain" width={320} height={168} />
        <figcaption>
          <Inline text={services.journey} />
        </figcaption>
      </figure>
      <ul className={styles['manifest']}>
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
      </ul>
    </Section>
  );
}
