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
  /** Elements beside the icon; the first is the nearest. */
  readonly children?: React.ReactNode;
}

export function VoiceIcon({ size, position, label, volume = 0, children, ...rest }: Props) {
  const { isActive, isListening, isSpeaking, ...button } = rest;
  return (
    <div className={styles['place']} data-position={position}>
      <button {...button} className={styles['button']} type="button">
        <VoiceMark appearance={appearanceOf({ isActive, isListening, isSpeaking })} size={size} volume={volume} />
        <span className={styles['dot']} />
        <span className="hidden">
          <Inline text={label} />
        </span>
      </button>
      {children}
    </div>
  );
}
