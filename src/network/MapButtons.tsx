import { map as words } from '../content/network.ts';
import { bothWords, type Bilingual } from '../content/bilingual.ts';
import { ButtonWords } from '../ui/ButtonWords.tsx';
import { Inline } from '../ui/Inline.tsx';
import styles from './MapButtons.module.css';
import { MAX_ZOOM, MIN_ZOOM, type MapButton } from './view.ts';

interface Props {
  readonly zoom: number;
  readonly onZoom: (by: 1 | -1) => void;
  /** True if the map shows the wider view; false for the initial view of China. */
  readonly away: boolean;
  /** Label of the button that shows the wider view. */
  readonly whole?: Bilingual;
  readonly onChange: () => void;
  readonly focused?: MapButton | undefined;
  /** True if the animation is paused; undefined if the map has no animation. */
  readonly paused?: boolean | undefined;
  readonly onPause?: (paused: boolean) => void;
}

/** Buttons of the map. They can be shown and pressed even before Leaflet has loaded. */
export function MapButtons({ zoom, onZoom, away, whole = words.whole, onChange, focused, paused, onPause }: Props) {
  return (
    <>
      <button
        className={`${styles['whole']} button plain`}
        type="button"
        ref={focused === 'view' ? takeFocus : null}
        onClick={onChange}
      >
        <ButtonWords text={away ? words.china : whole} />
      </button>
      <div className={styles['tools']}>
        {paused !== undefined && (
          <Tool name={paused ? words.resume : words.pause} onPress={() => onPause?.(!paused)}>
            {paused ? 'M8 5v14l11-7z' : 'M8 5v14M16 5v14'}
          </Tool>
        )}
        <Tool name={words.zoomIn} spent={zoom >= MAX_ZOOM} isFocused={focused === 1} onPress={() => onZoom(1)}>
          M5 12h14M12 5v14
        </Tool>
        <Tool name={words.zoomOut} spent={zoom <= MIN_ZOOM} isFocused={focused === -1} onPress={() => onZoom(-1)}>
          M5 12h14
        </Tool>
      </div>
    </>
  );
}

interface ToolProps {
  readonly name: Bilingual;
  readonly spent?: boolean;
  readonly isFocused?: boolean;
  readonly onPress: () => void;
  /** SVG path of the icon. */
  readonly children: string;
}

function Tool({ name, spent = false, isFocused = false, onPress, children }: ToolProps) {
  return (
    <button
      ref={isFocused ? takeFocus : null}
      className="button plain"
      type="button"
      title={bothWords(name)}
      aria-disabled={spent}
      onClick={onPress}
    >
      <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
        <path d={children} />
      </svg>
      <span className="hidden">
        <Inline text={name} />
      </span>
    </button>
  );
}

/** `preventScroll` is set because the visitor may have scrolled on before this button appears. */
const takeFocus = (button: HTMLButtonElement | null) => button?.focus({ preventScroll: true });
