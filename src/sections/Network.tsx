import { network, points, roles } from '../content/network.ts';
import { Bilingual } from '../ui/Bilingual.tsx';
import { Inline } from '../ui/Inline.tsx';
import { Section } from '../ui/Section.tsx';
import { NetworkDrawing } from './NetworkDrawing.tsx';
import styles from './Network.module.css';

const TYPES = ['origin', 'hub', 'destination'] as const;

export function Network() {
  const { legend, modes, stats, active, cards } = network;
  return (
    <Section id="red-logistica" title={network.title} intro={network.subtitle} flown={0.36}>
      <div className={styles['sheet']}>
        <div className={styles['map']}>
          <NetworkDrawing />
          <p className={`${styles['active']} label`}>
            <Inline text={active} />
          </p>
        </div>
        <div className={styles['keys']}>
          <dl className={styles['stats']}>
            {stats.map(({ figure, text }) => (
              <div key={figure}>
                <dt>
                  <Inline text={text} />
                </dt>
                <dd className="figure">{figure}</dd>
              </div>
            ))}
          </dl>
          <h3>{legend.title.es}</h3>
          <p lang="en">{legend.title.en}</p>
          <ul className={styles['modes']}>
            {modes.map(({ kind, name, to }) => (
              <li key={kind} data-mode={kind}>
                <svg viewBox="0 0 40 8" aria-hidden="true">
                  <path d="M0 4h40" />
                </svg>
                <div>
                  <Inline text={name} />
                </div>
                <span className="label">
                  {legend.from} {to.join(' · ')}
                </span>
              </li>
            ))}
          </ul>
        </div>
      </div>
      <div className={styles['points']}>
        {TYPES.map((type) => (
          <div key={type}>
            <Bilingual as="h3" className="label" text={roles[type]} />
            <ul>
              {points
                .filter((point) => point.type === type)
                .map(({ code, name }) => (
                  <li key={code}>
                    <b>{code}</b> {name}
                  </li>
                ))}
            </ul>
          </div>
        ))}
      </div>
      <div className={styles['cards']}>
        {cards.map(({ name, text }) => (
          <article key={name.en}>
            <Bilingual as="h3" text={name} />
            <Bilingual text={text} />
          </article>
        ))}
      </div>
    </Section>
  );
}
