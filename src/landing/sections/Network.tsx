import { englishWords } from '../../content/bilingual.ts';
import type { ReactNode } from 'react';
import { network, roles } from '../../content/network.ts';
import { MODES, points, reachedBy } from '../../content/points.ts';
import { NetworkStill } from '../../network/NetworkStill.tsx';
import { lines } from '../../network/routes.ts';
import { Bilingual } from '../../ui/Bilingual.tsx';
import { Inline } from '../../ui/Inline.tsx';
import { ScrollingList } from '../../ui/ScrollingList.tsx';
import { Section } from '../../ui/Section.tsx';
import styles from './Network.module.css';

const TYPES = ['origin', 'hub', 'destination'] as const;

/**
 * Section with the network of ports: a still picture, the map that replaces it when React starts, and the same facts as
 * text.
 */
export function Network({ children }: { readonly children: ReactNode }) {
  const { legend, modes, stats, active, cards } = network;
  return (
    <Section id="red-logistica" title={network.title} intro={network.subtitle}>
      <div className={styles['sheet']}>
        <div className={styles['map']}>
          <NetworkStill />
          {children}
          <p className={`${styles['active']} label`}>
            <Inline text={active} />
          </p>
        </div>
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
        <div className={styles['legend']}>
          <Bilingual as="h3" text={legend.title} />
          <ul className={styles['modes']}>
            {MODES.map((mode) => (
              <li key={mode}>
                <svg viewBox="0 0 40 8" aria-hidden="true">
                  <path
                    d="M0 4h40"
                    stroke={lines[mode].colour}
                    strokeWidth={lines[mode].weight}
                    strokeDasharray={lines[mode].dash}
                  />
                </svg>
                <div>
                  <Inline text={modes[mode]} />
                </div>
                <span className="label">
                  {legend.from} {reachedBy(mode).join(' · ')}
                </span>
              </li>
            ))}
          </ul>
          <div className={styles['moving']}>
            <Bilingual text={legend.note} />
          </div>
        </div>
      </div>
      <div className={styles['points']}>
        {TYPES.map((type) => (
          <div key={type}>
            <h3 className="label">
              <Inline text={roles[type]} />
            </h3>
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
      <ScrollingList className={styles['cards']}>
        {cards.map(({ name, text }) => (
          <li key={englishWords(name)}>
            <Bilingual as="h3" text={name} />
            <Bilingual text={text} />
          </li>
        ))}
      </ScrollingList>
    </Section>
  );
}
