import { mainWords, type Bilingual } from '../content/bilingual.ts';
import { ActionLabel } from './ActionLabel.tsx';
import { takeFocus } from '../ui/focus.ts';
import { Inline } from '../ui/Inline.tsx';

interface Props {
  readonly words: Readonly<Record<'yes' | 'no', Bilingual>>;
  readonly question: Bilingual;
  readonly className: string | undefined;
  readonly onYes: () => void;
  readonly onNo: () => void;
  /** False if the question must not take the focus, because the visitor may be typing in another place. */
  readonly takesFocus?: boolean;
}

/** Asks before an action that cannot be undone. The focus is on "no", so that a double press cancels. */
export function Confirm({ words, question, className, onYes, onNo, takesFocus = true }: Props) {
  return (
    <div role="alertdialog" aria-label={mainWords(question)} className={className}>
      <p>
        <Inline text={question} />
      </p>
      <button className="button" type="button" onClick={onYes}>
        <ActionLabel text={words.yes} />
      </button>
      <button ref={takesFocus ? takeFocus : undefined} className="button plain" type="button" onClick={onNo}>
        <ActionLabel text={words.no} />
      </button>
    </div>
  );
}
