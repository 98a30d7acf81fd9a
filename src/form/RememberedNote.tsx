import { remembered as words } from '../content/remembered.ts';
import { ButtonWords } from '../ui/ButtonWords.tsx';
import { Inline } from '../ui/Inline.tsx';
import styles from './FormStates.module.css';

/** Where what stands in the form comes from, and the way to be rid of it. */
export function RememberedNote({ onForget }: { readonly onForget: () => void }) {
  return (
    <div className={styles['draft']} role="status">
      <span>
        <Inline text={words.filledIn} />
      </span>
      <button className="button plain" type="button" onClick={onForget}>
        <ButtonWords text={words.forget} />
      </button>
    </div>
  );
}
