import { mainWords } from '../../content/bilingual.ts';
import { deskFailures } from '../../content/desk-failures.ts';
import { deskSystem as words, type CheckResult } from '../../content/desk-system.ts';
import { Bilingual } from '../../ui/Bilingual.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { readSystemStatus } from '../api/system-status.ts';
import { useRead } from '../context.ts';
import styles from './SystemDialog.module.css';

const ORDER: readonly CheckResult['kind'][] = ['fault', 'unknown', 'well'];

/** Dialog with the results of the server's checks: faults first, each with its remedy. */
export function SystemDialog({ onClose }: { readonly onClose: () => void }) {
  const { value: checks, hasFailed } = useRead('', readSystemStatus);
  const ofKind = (wanted: CheckResult['kind']) => (checks ?? []).filter(({ kind }) => kind === wanted);
  return (
    <Dialog title={words.open} isWide onClose={onClose}>
      <div role="status">
        <Bilingual
          text={checks ? words.faults(ofKind('fault').length) : hasFailed ? deskFailures.unreachable : words.asking}
        />
      </div>
      <ul className={styles['checks']}>
        {ORDER.flatMap(ofKind).map(({ kind, says, cure }) => (
          <li key={mainWords(says)} data-kind={kind}>
            <b className="label">{mainWords(words.kinds[kind])}</b>
            <Bilingual text={says} />
            {cure && (
              <div className={styles['cure']}>
                <Bilingual text={cure} />
              </div>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
