import { roles } from '../content/desk-roles.ts';
import { Bilingual } from '../ui/Bilingual.tsx';
import { Inline } from '../ui/Inline.tsx';
import { Act } from './Act.tsx';
import styles from './LeadSheet.module.css';

const words = roles.block;

/** Behind a fold, and said what it does: it cannot be undone from the desk. */
export function BlockLead({ onBlock }: { readonly onBlock: () => void }) {
  return (
    <details className={styles['block']}>
      <summary className="label">
        <Inline text={words.open} />
      </summary>
      <Bilingual text={words.what} />
      <Act words={words.send} onClick={onBlock} />
    </details>
  );
}
