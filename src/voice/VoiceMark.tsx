import { HANDSET } from '../ui/Icon.tsx';
import type { Appearance, Size } from './appearance.ts';
import styles from './VoiceMark.module.css';

export const MICROPHONE = 'M12 3a3 3 0 00-3 3v5a3 3 0 006 0V6a3 3 0 00-3-3zM6 11a6 6 0 0012 0M12 17v4';

/** Drawing for each state of the call, because colour alone would not distinguish them. */
const drawings: Readonly<Record<Appearance, string>> = {
  idle: HANDSET,
  active: 'M5 12h.01M12 12h.01M19 12h.01',
  listening: `${MICROPHONE}M9 21h6`,
  speaking: 'M3 10v4M7.5 7v10M12 4v16M16.5 7v10M21 10v4',
};

interface Props {
  readonly appearance: Appearance;
  readonly size: Size;
  /** Loudness of the assistant's voice, from 0 to 1. */
  readonly volume?: number;
}

/** Visible part of the voice icon. The area that reacts to a press may be larger. */
export function VoiceMark({ appearance, size, volume = 0 }: Props) {
  return (
    <span
      className={styles['mark']}
      data-appearance={appearance}
      data-size={size}
      // The style attribute is added only when a call has sound, because the security policy forbids style attributes
      // in the built page.
      style={volume > 0 ? ({ '--volume': volume.toFixed(2) } as React.CSSProperties) : undefined}
    >
      <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
        <path d={drawings[appearance]} />
      </svg>
    </span>
  );
}
