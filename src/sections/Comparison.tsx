import { claims } from '../content/claims.ts';
import { mainWords, type Bilingual } from '../content/bilingual.ts';
import { comparison } from '../content/comparison.ts';
import { Inline } from '../ui/Inline.tsx';
import { Section } from '../ui/Section.tsx';
import styles from './Comparison.module.css';

const DAY = 24;
const seaHours = claims.seaDays * DAY;
const days = Array.from({ length: claims.seaDays - 1 }, (_, day) => `M${(day + 1) * DAY} 0v100`).join('');

export function Comparison() {
  const { sea, air, rows, item, recommended } = comparison;
  return (
    <Section id="comparativo" title={comparison.title} intro={comparison.intro} flown={0.62}>
      <div className={styles['scale']}>
        <p>
          <b className="figure">{mainWords(air.time)}</b> {mainWords(air.name)}
        </p>
        <svg viewBox={`0 0 ${seaHours} 100`} preserveAspectRatio="none" aria-hidden="true" className={styles['air']}>
          <path d={days} />
          <rect width={claims.transitHours} height="100" />
        </svg>
        <p>
          <b className="figure">{mainWords(sea.time)}</b> {mainWords(sea.name)}
        </p>
        <svg viewBox={`0 0 ${seaHours} 100`} preserveAspectRatio="none" aria-hidden="true">
          <rect width={seaHours} height="100" />
          <path d={days} />
          <path d={`M${claims.fastestSeaDays * DAY} 0v100`} className={styles['fastest']} />
        </svg>
        <p className={styles['note']}>
          <Inline text={comparison.fastest} />
        </p>
      </div>
      <table className={styles['table']}>
        <caption className="hidden">{comparison.caption}</caption>
        <thead>
          <tr>
            <th scope="col">
              <Inline text={item} />
            </th>
            <th scope="col">
              <Inline text={sea.name} />
            </th>
            <th scope="col">
              <Inline text={air.name} />
              <span className={styles['stamp']}>
                <Inline text={recommended} />
              </span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.item.en}>
              <th scope="row">
                <Inline text={row.item} />
              </th>
              <td>
                <Value of={row.sea} />
              </td>
              <td>
                <Value of={row.air} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

function Value({ of: value }: { readonly of: string | Bilingual }) {
  return typeof value === 'string' ? value : <Inline text={value} />;
}
