import type { RefObject } from 'react';
import { bothWords } from '../content/bilingual.ts';
import { voice as words } from '../content/voice.ts';
import { ButtonWords } from '../ui/ButtonWords.tsx';
import { Inline } from '../ui/Inline.tsx';
import type { CallState } from './machine.ts';
import styles from './StatusPill.module.css';
import { useFocusReturn } from './use-focus-return.ts';
import { MICROPHONE } from './VoiceMark.tsx';

interface Props {
  readonly state: Exclude<CallState, { readonly kind: 'idle' }>;
  readonly interrupted: boolean;
  readonly button: RefObject<HTMLElement | null>;
  readonly onStop: () => void;
  readonly onMute: (muted: boolean) => void;
}

export function StatusPill({ state, interrupted, button, onStop, onMute }: Props) {
  const isActive = state.kind !== 'initializing';
  return (
    <div ref={useFocusReturn<HTMLDivElement>(button)} className={styles['pill']} data-state={state.kind}>
      <p>
        <Inline text={words.status[interrupted ? 'interrupted' : state.kind]} />
      </p>
      {isActive && (
        <button
          className={styles['mute']}
          type="button"
          aria-pressed={state.muted}
          title={bothWords(words.mute)}
          onClick={() => onMute(!state.muted)}
        >
          <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
            <path d={MICROPHONE} />
            {state.muted && <path d="M4 4l16 16" />}
          </svg>
          <span className="hidden">
            <Inline text={words.mute} />
          </span>
        </button>
      )}
      <button className="button" type="button" onClick={onStop}>
        <ButtonWords text={isActive ? words.stop : words.cancel} />
      </button>
    </div>
  );
}
