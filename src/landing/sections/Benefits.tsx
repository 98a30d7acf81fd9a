import { benefits } from '../../content/benefits.ts';
import { Bilingual } from '../../ui/Bilingual.tsx';
import { Drawing } from '../../ui/Drawing.tsx';
import { Inline } from '../../ui/Inline.tsx';
import { ScrollingList } from '../../ui/ScrollingList.tsx';
import { Section } from '../../ui/Section.tsx';
import styles from './Benefits.module.css';

/** Number of main benefits, each shown over the full width. */
const LOUD = 2;

export function Benefits() {
  return (
    <Section id="beneficios" className="night" title={benefits.title}>
      <ul className={styles['loud']}>{benefits.items.slice(0, LOUD).map(entry)}</ul>
      <ScrollingList>{benefits.items.slice(LOUD).map(entry)}</ScrollingList>
    </Section>
  );
}

const entry = ({ figure, drawing, name, text }: (typeof benefits.items)[number]) => (
  <li key={figure} className={styles['benefit']}>
    <h3>
      <span className="figure">{figure}</span> <Inline text={name} />
    </h3>
    <Drawing name={`benefits#${drawing}`} width={320} height={56} />
    <Bilingual text={text} />
  </li>
);
