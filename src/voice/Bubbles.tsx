import { spanishWords, type Bilingual } from '../content/bilingual.ts';
import { voice } from '../content/voice.ts';
import { Inline } from '../ui/Inline.tsx';
import { Translation } from '../ui/Translation.tsx';
import styles from './Bubbles.module.css';

/** Invitations beside the call button; hints.ts shows each by an attribute. */
export function Bubbles() {
  return (
    <div className={styles['bubbles']}>
      <Bubble kind="hint" words={voice.hint} />
      <Bubble kind="teaser" words={voice.teaser} />
    </div>
  );
}

interface Props {
  readonly kind: 'hint' | 'teaser';
  readonly words: { readonly title: Bilingual; readonly text: Bilingual };
}

/** Bubble, hidden from screen readers, which read its text as the description of the button. */
function Bubble({ kind, words: { title, text } }: Props) {
  return (
    <div className={styles['bubble']} data-kind={kind} aria-hidden="true">
      <b>{spanishWords(title)}</b>
      {/* English title for visitors who read no Spanish. */}
      <Translation as="b" text={title} className="hidden" />
      <p>
        <Inline text={text} />
      </p>
    </div>
  );
}
