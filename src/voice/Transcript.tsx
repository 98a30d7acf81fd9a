import { useEffect, useRef, type RefObject, type UIEvent } from 'react';
import { mainWords } from '../content/bilingual.ts';
import { voice as words } from '../content/voice.ts';
import { ButtonWords } from '../ui/ButtonWords.tsx';
import { Inline } from '../ui/Inline.tsx';
import type { Sentence } from './call.ts';
import styles from './Transcript.module.css';
import { useFocusReturn } from './use-focus-return.ts';

/** Distance in pixels from the end, half a line, at which the transcript still counts as scrolled to its end. */
const NEAR_THE_END = 12;

interface Props {
  readonly sentences: readonly Sentence[];
  readonly button: RefObject<HTMLElement | null>;
  /** Closes the transcript. Undefined during a call, because the transcript of a running call stays open. */
  readonly onClose?: (() => void) | undefined;
}

/** Written text of the call, for visitors who cannot hear it. */
export function Transcript({ sentences, button, onClose }: Props) {
  const log = useRef<HTMLDivElement>(null);
  /** True if the transcript scrolls to each new sentence; false while the visitor has scrolled up to read. */
  const follows = useRef(true);
  useEffect(() => {
    // The braces are needed: in newer browsers scrollTo returns a promise, which React would take for a cleanup
    // function.
    if (follows.current) log.current?.scrollTo({ top: log.current.scrollHeight });
  });
  function noticeEnd({ currentTarget: { scrollHeight, scrollTop, clientHeight } }: UIEvent<HTMLElement>) {
    follows.current = scrollHeight - scrollTop - clientHeight < NEAR_THE_END;
  }
  const { title, who } = words.transcript;
  return (
    <details
      ref={useFocusReturn<HTMLDetailsElement>(button)}
      className={`${styles['transcript']} stub`}
      open
      hidden={sentences.length === 0}
    >
      <summary className="label">
        <Inline text={title} />
      </summary>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- Only a focusable box scrolls by keyboard. */}
      <div ref={log} role="log" aria-label={mainWords(title)} tabIndex={0} onScroll={noticeEnd}>
        {sentences.map(({ of, text, final }, at) => (
          // Screen readers read only finished sentences: for each new word they would read the whole sentence again.
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
