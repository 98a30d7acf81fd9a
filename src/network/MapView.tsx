import './leaflet.css';
import { latLngBounds, type Map as LeafletMap } from 'leaflet';
import { useEffect, useState, type ReactNode } from 'react';
import { AttributionControl, MapContainer, Pane, useMap } from 'react-leaflet';
import { tiles } from '../config.ts';
import { mainWords } from '../content/bilingual.ts';
import { map as words } from '../content/network.ts';
import { Inline } from '../ui/Inline.tsx';
import { isSavingData } from '../phone/is-saving-data.ts';
import { shareGestures, type Gesture } from './gestures.ts';
import { LandLayer } from './LandLayer.tsx';
import { MapControls } from './MapControls.tsx';
import { lessMotion, useTick } from './motion.ts';
import { frame } from './outline.ts';
import { PointLayer } from './PointLayer.tsx';
import { PulseLayer, RouteLayer } from './RouteLayer.tsx';
import { TilesOver } from './TilesOver.tsx';
import { MAX_ZOOM, MIN_ZOOM, opening, type ButtonPresses } from './view.ts';
import styles from './MapView.module.css';

const BOUNDS = latLngBounds([frame.south, frame.west], [frame.north, frame.east]);
/** Zoom level below which the names of the destinations are hidden, because they would overlap. */
const FAR = 3.5;
const HINT_SHOWN = 1800;
/**
 * Styles of the container, inline because WebKit sometimes starts Leaflet before the style sheet applies. Leaflet would
 * then set `position: relative` for good, and the map would have no height.
 */
const WHOLE = { inset: 0, position: 'absolute' } as const;

interface Props {
  readonly presses: ButtonPresses;
  readonly onReady: () => void;
}

export function MapView({ presses, onReady }: Props) {
  const [map, setMap] = useState<LeafletMap | null>(null);
  const [calm] = useState(lessMotion);
  const [paused, setPaused] = useState(false);
  const zoom = useZoom(map);
  const hint = useGestures(map);
  useEffect(() => {
    // Leaflet lets the container take the focus, because arrow keys move the map. An element with focus needs a role
    // and a name.
    map?.getContainer().setAttribute('role', 'region');
    map?.getContainer().setAttribute('aria-label', mainWords(words.name));
  }, [map]);

  return (
    <div className={styles['view']} style={WHOLE} data-zoom={zoom} data-far={zoom < FAR || undefined}>
      <MapContainer
        ref={setMap}
        className={styles['map']!}
        style={WHOLE}
        center={opening}
        zoom={opening.zoom}
        minZoom={MIN_ZOOM}
        maxZoom={MAX_ZOOM}
        zoomSnap={0.5}
        maxBounds={BOUNDS}
        maxBoundsViscosity={1}
        zoomControl={false}
        attributionControl={false}
        zoomAnimation={!calm}
        fadeAnimation={false}
        inertia={!calm}
      >
        <Pane name="land" className={styles['land']!}>
          <LandLayer onDrawn={onReady} />
        </Pane>
        {tiles && !isSavingData() && <TilesOver {...tiles} />}
        <RouteLayer />
        <Pane name="pulses" className={styles['pulses']!}>
          <Ticking running={!paused && !calm}>
            <PulseLayer />
          </Ticking>
        </Pane>
        <PointLayer calm={calm} />
        <AttributionControl prefix={words.source} />
      </MapContainer>
      {map && <MapControls map={map} zoom={zoom} calm={calm} paused={paused} onPause={setPaused} presses={presses} />}
      <p className={styles['hint']} data-shown={hint && ''} aria-hidden="true">
        <Inline text={hint === 'wheel' ? words.withCtrl : words.twoFingers} />
      </p>
    </div>
  );
}

/**
 * Restarts the animation at each tick by changing a data attribute. It is a separate component, so that a tick does not
 * render the map again.
 */
function Ticking({ running, children }: { readonly running: boolean; readonly children: ReactNode }) {
  const map = useMap();
  const tick = useTick(running, map.getContainer());
  useEffect(() => {
    const { dataset } = map.getPane('pulses')!;
    if (tick === undefined) delete dataset['tick'];
    else dataset['tick'] = `${tick}`;
  }, [map, tick]);
  return children;
}

function useZoom(map: LeafletMap | null): number {
  const [zoom, setZoom] = useState<number>(opening.zoom);
  useEffect(() => {
    if (!map) return;
    const follow = () => setZoom(map.getZoom());
    // MapControls may have changed the zoom before this listener existed.
    follow();
    map.on('zoomend', follow);
    return () => void map.off('zoomend', follow);
  }, [map]);
  return zoom;
}

function useGestures(map: LeafletMap | null): Gesture | undefined {
  const [hint, setHint] = useState<Gesture>();
  useEffect(() => {
    if (!map) return;
    let timer: ReturnType<typeof setTimeout>;
    const stop = shareGestures(map, (gesture) => {
      clearTimeout(timer);
      setHint(gesture);
      timer = setTimeout(() => setHint(undefined), HINT_SHOWN);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [map]);
  return hint;
}
