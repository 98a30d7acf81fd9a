import { spanishWords, type Bilingual } from '../content/bilingual.ts';
import { voice } from '../content/voice.ts';
import { Inline } from '../ui/Inline.tsx';
import { Translation } from '../ui/Translation.tsx';
import styles from './Bubbles.module.css';

/** Speech bubbles beside the call button that invite the visitor to call. hints.ts shows each by an attribute. */
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

/**
 * Speech bubble. Screen readers do not read it, because they already read the same text as the button's description.
 */
function Bubble({ kind, words: { title, text } }: Props) {
  return (
    <div className={styles['bubble']} data-kind={kind} aria-hidden="true">
      <b>{spanishWords(title)}</b>
      {/* The title in English, for visitors who do not read Spanish. */}
      <Translation as="b" text={title} className="hidden" />
      <p>
        <Inline text={text} />
      </p>
    </div>
  );
}
