import { mainWords, type Bilingual, englishWords } from '../../content/bilingual.ts';
import { comparison } from '../../content/comparison.ts';
import { Drawing } from '../../ui/Drawing.tsx';
import { Inline } from '../../ui/Inline.tsx';
import { Section } from '../../ui/Section.tsx';
import styles from './Comparison.module.css';

export function Comparison() {
  const { sea, air, rows, item, recommended } = comparison;
  return (
    <Section id="comparativo" className={styles['comparison']} title={comparison.title} intro={comparison.intro}>
      <div className={styles['scale']}>
        <p className={styles['air']}>
          <b className="figure">{mainWords(air.time)}</b> {mainWords(air.name)}
        </p>
        <p>
          <b className="figure">{mainWords(sea.time)}</b> {mainWords(sea.name)}
        </p>
        <Drawing name="calendar" width={352} height={152} />
        <p>
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
            <tr key={englishWords(row.item)}>
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
