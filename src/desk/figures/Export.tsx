import { useState } from 'react';
import { mainWords } from '../../content/bilingual.ts';
import { dateInWords } from '../../content/dates.ts';
import { deskFigures } from '../../content/desk-figures.ts';
import { Bilingual } from '../../ui/Bilingual.tsx';
import { Inline } from '../../ui/Inline.tsx';
import { Button } from '../../ui/Button.tsx';
import { lastExports } from '../api/exports.ts';
import { exportCsv } from './exports.ts';
import styles from './FiguresDialog.module.css';
import type { Lead } from '../lead/lead.ts';
import { useDesk, useRead } from '../context.ts';

const words = deskFigures.exports;

/** Button with which a supervisor downloads the shown leads, and a list of earlier downloads. */
export function Export({ shown, what }: { readonly shown: readonly Lead[]; readonly what: string }) {
  const { me, now } = useDesk();
  const [hasFailed, setFailed] = useState(false);
  const { isSupervisor } = me;
  const { value: downloads = [], readAgain } = useRead('', async () => (isSupervisor ? lastExports() : []));
  if (!isSupervisor) return <Bilingual text={words.askSupervisor} />;
  return (
    <>
      <p className={styles['csv']}>
        <Button
          words={deskFigures.csv}
          onClick={() => {
            setFailed(false);
            void exportCsv(shown, what, now).then(readAgain, () => setFailed(true));
          }}
        />
      </p>
      <div role="alert">{hasFailed && <Bilingual text={words.failed} />}</div>
      {downloads.length > 0 && (
        <>
          <p className="label">
            <Inline text={words.title} />
          </p>
          <ul className={styles['exports']}>
            {downloads.map(({ id, at, staff_name, rows }) => (
              <li key={id} translate="no">
                {mainWords(
                  words.one(staff_name ?? mainWords(words.terminal), mainWords(dateInWords(Date.parse(at), now)), rows),
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
