import { latLngBounds, type Map as LeafletMap } from 'leaflet';
import { useState } from 'react';
import { map as words } from '../content/network.ts';
import { bothWords, type Bilingual } from '../content/bilingual.ts';
import { ButtonWords } from '../ui/ButtonWords.tsx';
import { Inline } from '../ui/Inline.tsx';
import { roomIn } from './covered.ts';
import { flights, hub } from './routes.ts';
import { MAX_ZOOM, MIN_ZOOM, opening } from './view.ts';
import styles from './MapView.module.css';

const PORTS = latLngBounds(flights.map(([port]) => port!));
const WHOLE = latLngBounds([...flights.flat(), hub]);
/** Room for the names, and for the tools on the right. */
const EDGE = { left: 80, top: 40, right: 80, bottom: 40 };

interface Props {
  readonly map: LeafletMap;
  readonly zoom: number;
  /** Nothing moves by itself: there is nothing to pause. */
  readonly calm: boolean;
  readonly paused: boolean;
  readonly onPause: (paused: boolean) => void;
}

export function MapControls({ map, zoom, calm, paused, onPause }: Props) {
  const [away, setAway] = useState(false);

  const change = () => {
    if (away) map.flyTo(opening, opening.zoom, { animate: !calm });
    else showWhole(map, !calm);
    setAway(!away);
  };
  return (
    <>
      <button className={`${styles['whole']} button plain`} type="button" onClick={change}>
        <ButtonWords text={away ? words.china : words.whole} />
      </button>
      <div className={styles['tools']}>
        {!calm && (
          <Tool name={paused ? words.resume : words.pause} onPress={() => onPause(!paused)}>
            {paused ? 'M8 5v14l11-7z' : 'M8 5v14M16 5v14'}
          </Tool>
        )}
        <Tool name={words.zoomIn} spent={zoom >= MAX_ZOOM} onPress={() => map.zoomIn()}>
          M5 12h14M12 5v14
        </Tool>
        <Tool name={words.zoomOut} spent={zoom <= MIN_ZOOM} onPress={() => map.zoomOut()}>
          M5 12h14
        </Tool>
      </div>
    </>
  );
}

interface ToolProps {
  readonly name: Bilingual;
  readonly spent?: boolean;
  readonly onPress: () => void;
  /** The drawing of its sign. */
  readonly children: string;
}

function Tool({ name, spent = false, onPress, children }: ToolProps) {
  return (
    <button className="button plain" type="button" title={bothWords(name)} aria-disabled={spent} onClick={onPress}>
      <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
        <path d={children} />
      </svg>
      <span className="hidden">
        <Inline text={name} />
      </span>
    </button>
  );
}

/** Both shores where they fit beside what covers the map, and else the Mexican one with its flights setting out. */
function showWhole(map: LeafletMap, animate: boolean): void {
  const { paddingTopLeft, paddingBottomRight } = roomIn(map, EDGE);
  const room = map.getSize().subtract(paddingTopLeft).subtract(paddingBottomRight);
  const needed = map.project(WHOLE.getSouthEast(), MIN_ZOOM).subtract(map.project(WHOLE.getNorthWest(), MIN_ZOOM));
  const fits = needed.x <= room.x && needed.y <= room.y;
  map.flyToBounds(fits ? WHOLE : PORTS, { paddingTopLeft, paddingBottomRight, animate });
}
