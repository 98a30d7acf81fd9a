import { deskTransit as words } from '../../content/desk-transit.ts';
import { Bilingual } from '../../ui/Bilingual.tsx';
import { Inline } from '../../ui/Inline.tsx';
import { duration } from '../lead/lead.ts';
import { readLanded } from '../api/shipments.ts';
import { serverNow } from '../api/server-clock.ts';
import { useRead } from '../context.ts';
import ledger from './Ledger.module.css';
import { transitInFigures } from './transit.ts';

const SPAN = 90 * 86_400_000;

/** Section that compares the promised transit time with the shipments that arrived in the last 90 days. */
export function Transit() {
  const { value: rows } = useRead('transit', () => readLanded(serverNow() - SPAN));
  const figures = rows && transitInFigures(rows);
  return (
    <section className={ledger['ledger']} aria-labelledby="transit">
      <Bilingual as="h3" id="transit" text={words.title} />
      <Bilingual text={words.promised} />
      {figures && figures.measured === 0 && <Bilingual text={words.none} />}
      {figures && figures.measured > 0 && (
        <>
          <p>
            <b>{Math.floor((figures.onTime * 100) / figures.measured)} %</b>{' '}
            <Inline text={words.onTime(figures.onTime, figures.measured, duration(figures.median!))} />
          </p>
          {figures.unmeasured > 0 && <Bilingual text={words.unmeasured(figures.unmeasured)} />}
        </>
      )}
      {figures?.waste !== undefined && (
        <div>
          <Bilingual
            text={words.waste(figures.waste.toLocaleString('es-MX', { maximumFractionDigits: 2 }), figures.weighed)}
          />
        </div>
      )}
    </section>
  );
}
