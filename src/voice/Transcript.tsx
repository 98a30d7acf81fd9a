import { useEffect, useRef } from 'react';
import { mainWords } from '../content/bilingual.ts';
import { voice as words } from '../content/voice.ts';
import { ButtonWords } from '../ui/ButtonWords.tsx';
import { Inline } from '../ui/Inline.tsx';
import type { Sentence } from './call.ts';
import styles from './Transcript.module.css';

interface Props {
  readonly sentences: readonly Sentence[];
  /** Once the call is over: it may be read as long as that takes. */
  readonly onClose?: (() => void) | undefined;
}

/** For who cannot hear, or stands where nobody can. */
export function Transcript({ sentences, onClose }: Props) {
  const log = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Newer engines answer with a promise, which React would take for a cleanup.
    log.current?.scrollTo({ top: log.current.scrollHeight });
  });
  const { title, who } = words.transcript;
  return (
    <details className={`${styles['transcript']} stub`} open hidden={sentences.length === 0}>
      <summary className="label">
        <Inline text={title} />
      </summary>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- It scrolls: the keyboard must be able to. */}
      <div ref={log} role="log" aria-label={mainWords(title)} tabIndex={0}>
        {sentences.map(({ of, text, final }, at) => (
          // A sentence that is not final yet would be read aloud again with each word.
          <p key={at} data-of={of} aria-hidden={!final}>
            <b>{mainWords(who[of])}</b> {text}
          </p>
        ))}
      </div>
      {onClose && (
        <button className="button plain" type="button" onClick={onClose}>
          <ButtonWords text={words.close} />
        </button>
      )}
    </details>
  );
}
