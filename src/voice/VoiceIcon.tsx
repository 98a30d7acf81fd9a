import type { ComponentProps } from 'react';
import type { Bilingual } from '../content/bilingual.ts';
import { Inline } from '../ui/Inline.tsx';
import { appearanceOf, type Activity, type Position, type Size } from './appearance.ts';
import styles from './VoiceIcon.module.css';
import { VoiceMark } from './VoiceMark.tsx';

interface Props extends Activity, Omit<ComponentProps<'button'>, 'children' | 'className' | 'type'> {
  readonly size: Size;
  readonly position: Position;
  readonly label: Bilingual;
  readonly volume?: number;
  /** While a hint is shown. */
  readonly dot?: boolean;
  /** Out of the way of what lies beneath. */
  readonly aside?: boolean;
  /** What stands at the icon, nearest first. */
  readonly children?: React.ReactNode;
}

/** The button of a call in its corner, with what stands at it. */
export function VoiceIcon(props: Props) {
  const {
    isActive,
    isListening,
    isSpeaking,
    size,
    position,
    label,
    volume = 0,
    dot,
    aside,
    children,
    ...button
  } = props;
  const appearance = appearanceOf({ isActive, isListening, isSpeaking });
  return (
    <div className={styles['place']} data-position={position} data-aside={aside || undefined}>
      <button {...button} className={styles['button']} type="button">
        <VoiceMark appearance={appearance} size={size} volume={volume} />
        {dot && <span className={styles['dot']} />}
        <span className="hidden">
          <Inline text={label} />
        </span>
      </button>
      {children}
    </div>
  );
}
