import { useDeferredValue, useMemo } from 'react';
import { mainWords, type Bilingual as Text, englishWords } from '../../content/bilingual.ts';
import { deskFigures } from '../../content/desk-figures.ts';
import { Bilingual } from '../../ui/Bilingual.tsx';
import { Inline } from '../../ui/Inline.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { alertsInFigures, promiseInFigures, type Figure } from './figures.ts';
import styles from './FiguresDialog.module.css';
import { duration, type Lead } from '../lead/lead.ts';
import { readBackup } from '../api/health.ts';
import { backupInWords } from './backup.ts';
import { Export } from './Export.tsx';
import { Ledger } from './Ledger.tsx';
import { Transit } from './Transit.tsx';
import { readAlerts, readSender } from '../api/lead-feed.ts';
import { senderInWords } from './alert-sender.ts';
import { useDesk, useRead } from '../context.ts';

const words = deskFigures;
const SPANS = ['today', 'week', 'month'] as const;

interface Props {
  readonly leads: readonly Lead[];
  /** Leads that the list shows, by its filter or search. */
  readonly shown: readonly Lead[];
  /** Name of the filter or search that chose `shown`. The record of a download contains it. */
  readonly what: string;
  readonly onShow: (leads: readonly Lead[], text: Text) => void;
  readonly onClose: () => void;
}

export function FiguresDialog({ leads, shown, what, onShow, onClose }: Props) {
  const { now } = useDesk();
  // The time is rounded to the minute, so that the figures are not computed at each tick of the clock.
  const minute = Math.floor(now / 60_000) * 60_000;
  const figures = useMemo(() => promiseInFigures(leads, minute), [leads, minute]);
  /** False in the first render, which shows only the top of the dialog, so that the dialog appears quickly. */
  const isWhole = useDeferredValue(true, false);
  // Three separate requests: if one of them fails, only its own figures are missing.
  const { value: rows } = useRead(`${isWhole}`, async () => (isWhole ? readAlerts() : undefined));
  const { value: backup } = useRead(`${isWhole}`, async () => (isWhole ? readBackup().catch(() => null) : null));
  const { value: ranAt } = useRead(`${isWhole}`, async () => (isWhole ? readSender() : undefined));
  const silence = ranAt === undefined ? undefined : senderInWords(ranAt, now);
  const alerted = rows && alertsInFigures(rows, now);
  const most = Math.max(1, ...figures.byHour.map(({ asked }) => asked));
  return (
    <Dialog title={words.title} isWide onClose={onClose}>
      <dl className={styles['spans']}>
        {SPANS.map((span) => (
          <div key={span}>
            <dt className="label">
              <Inline text={words[span]} />
            </dt>
            <Share figure={figures[span]} />
            {alerted && <Alerted {...alerted[span]} />}
          </div>
        ))}
      </dl>
      {isWhole && (
        <>
          <Bilingual text={words.byHour} />
          <ol className={styles['hours']}>
            {figures.byHour.map(({ asked, met }, hour) => (
              // oxlint-disable-next-line react/no-array-index-key -- the index is the hour of the day
              <li key={hour}>
                <span className="hidden">{words.hour(String(hour), met, asked)}</span>
                <span className={styles['late']} style={{ height: `${((asked - met) / most) * 100}%` }} />
                <span className={styles['met']} style={{ height: `${(met / most) * 100}%` }} />
                <span className={styles['hour']} aria-hidden="true">
                  {hour % 6 === 0 ? hour : ''}
                </span>
              </li>
            ))}
          </ol>
          <Bilingual text={words.what} />
          {backup && <Bilingual text={backupInWords(backup, now)} />}
          {silence && <Bilingual text={silence} />}
          <Transit />
          <Ledger onShow={onShow} />
          <Export shown={shown} what={what} />
        </>
      )}
    </Dialog>
  );
}

function Share({ figure: { asked, met, median } }: { readonly figure: Figure }) {
  if (asked === 0) return <dd title={englishWords(words.none)}>{mainWords(words.none)}</dd>;
  const text = words.met(met, asked);
  return (
    <>
      <dd className={styles['share']}>{Math.floor((met * 100) / asked)} %</dd>
      <dd title={englishWords(text)}>{mainWords(text)}</dd>
      {median !== undefined && <dd>{mainWords(words.median(duration(median)))}</dd>}
    </>
  );
}

function Alerted({ sent, shown, taken }: ReturnType<typeof alertsInFigures>['today']) {
  if (sent === 0) return null;
  const text = words.alerts(sent, shown, taken);
  return <dd title={englishWords(text)}>{mainWords(text)}</dd>;
}
