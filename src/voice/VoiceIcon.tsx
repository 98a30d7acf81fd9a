import type { ComponentProps } from 'react';
import type { Bilingual } from '../content/bilingual.ts';
import { Inline } from '../ui/Inline.tsx';
import type { Appearance, Position, Size } from './appearance.ts';
import styles from './VoiceIcon.module.css';
import { VoiceMark } from './VoiceMark.tsx';

interface Props extends Omit<ComponentProps<'button'>, 'children' | 'className' | 'type'> {
  readonly appearance: Appearance;
  readonly size: Size;
  readonly position: Position;
  readonly label: Bilingual;
  readonly volume?: number;
  /** The parts that stand at the icon, nearest first. */
  readonly children?: React.ReactNode;
}

/** The button of a call in its corner, with what stands at it. */
export function VoiceIcon({ appearance, size, position, label, volume = 0, children, ...button }: Props) {
  return (
    <div className={styles['place']} data-position={position}>
      <button {...button} className={styles['button']} type="button">
        <VoiceMark appearance={appearance} size={size} volume={volume} />
        <span className={styles['dot']} />
        <span className="hidden">
          <Inline text={label} />
        </span>
      </button>
      {children}
    </div>
  );
}
