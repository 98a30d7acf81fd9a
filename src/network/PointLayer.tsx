import {
  divIcon,
  type LeafletEvent,
  type LeafletMouseEvent,
  type Map as LeafletMap,
  type Marker as LeafletMarker,
} from 'leaflet';
import { useEffect, useMemo, useState } from 'react';
import { createPortal } from 'react-dom';
import { Marker, Popup, useMap, useMapEvents } from 'react-leaflet';
import { mainWords } from '../content/bilingual.ts';
import { map as words, network, roles } from '../content/network.ts';
import { points, type NetworkPoint } from '../content/points.ts';
import { Bilingual } from '../ui/Bilingual.tsx';
import { Inline } from '../ui/Inline.tsx';
import { mapPadding } from './map-padding.ts';
import { labelSide } from './label-side.ts';
import { inFrame } from './outline.ts';
import { PointMark } from './PointMark.tsx';
import { arrivalsAt } from './view.ts';
import styles from './MapView.module.css';

/**
 * Milliseconds for which a popup stays open after the pointer has left its point, so that the pointer can move into the
 * popup.
 */
const LEAVING = 250;
/** Pixels that stay free around a chosen point, for its popup and the buttons of the map. */
const EDGES = {
  narrow: { left: 135, top: 290, right: 135, bottom: 60 },
  wide: { left: 135, top: 230, right: 200, bottom: 60 },
};
/** Below this map width, in pixels, the buttons form a row at the top (MapButtons.module.css). */
const NARROW = 700;

const placedPoints = points.map((point) => ({ point, position: [point.lat, inFrame(point.lng)] as [number, number] }));
const ARRIVALS = divIcon({
  html: network.arrivals,
  className: styles['arrivals'],
  iconSize: [140, 20],
  iconAnchor: [140, 15],
});
type PlacedPoint = (typeof placedPoints)[number];

interface PopupController {
  /**
   * Shows the popup of the point under the pointer. Does nothing if Esc has closed this popup and the pointer has not
   * moved since.
   */
  show(place: PlacedPoint, pointer: MouseEvent): void;
  /**
   * Shows the popup of a focused or pressed point. When the pointer visits another point and leaves it, this popup
   * comes back. `bring`: moves the map if the point is outside the visible part.
   */
  stay(place: PlacedPoint, bring: boolean): void;
  /** Hides the popup after LEAVING milliseconds, but not while the pointer is on the popup. */
  leave(): void;
  hide(): void;
  dismiss(): void;
  moved(pointer: MouseEvent): void;
}

const whereOf = ({ screenX, screenY }: MouseEvent) => `${screenX} ${screenY}`;

function createPopupController(
  map: LeafletMap,
  calm: boolean,
  set: (place: PlacedPoint | undefined) => void,
): PopupController {
  let timer: ReturnType<typeof setTimeout>;
  let staying: PlacedPoint | undefined;
  let pointerAt: string | undefined;
  let dismissedAt: string | undefined;
  const keeper: PopupController = {
    show(place, pointer) {
      if (whereOf(pointer) === dismissedAt) return;
      clearTimeout(timer);
      set(place);
    },
    stay(place, bring) {
      clearTimeout(timer);
      staying = place;
      set(place);
      const edge = EDGES[map.getSize().x < NARROW ? 'narrow' : 'wide'];
      if (bring) map.panInside(place.position, { ...mapPadding(map, edge), animate: !calm });
    },
    leave() {
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (map.getContainer().querySelector('.leaflet-popup:hover')) return keeper.leave();
        set(staying);
      }, LEAVING);
    },
    hide() {
      clearTimeout(timer);
      staying = undefined;
      set(undefined);
    },
    dismiss() {
      dismissedAt = pointerAt;
      keeper.hide();
    },
    moved(pointer) {
      pointerAt = whereOf(pointer);
      if (pointerAt !== dismissedAt) dismissedAt = undefined;
    },
  };
  return keeper;
}

/** Shows one popup at a time: of the point chosen by pointer, focus or tap. Esc closes the popup. */
export function PointLayer({ calm }: { readonly calm: boolean }) {
  const map = useMap();
  const [shown, setShown] = useState<PlacedPoint>();
  const keeper = useMemo(() => createPopupController(map, calm, setShown), [map, calm]);

  useMapEvents({ click: () => keeper.hide() });
  useEffect(() => {
    const container = map.getContainer();
    const moved = (event: MouseEvent) => keeper.moved(event);
    const byKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') keeper.dismiss();
    };
    // Esc must work wherever the focus is, so the listener is on the document.
    document.addEventListener('keydown', byKey);
    container.addEventListener('mousemove', moved);
    return () => {
      keeper.hide();
      document.removeEventListener('keydown', byKey);
      container.removeEventListener('mousemove', moved);
    };
  }, [map, keeper]);

  return (
    <>
      <Marker position={arrivalsAt} icon={ARRIVALS} interactive={false} keyboard={false} />
      {placedPoints.map((place) => (
        <PointMarker key={place.point.code} place={place} keeper={keeper} />
      ))}
      {shown && (
        <Popup
          key={shown.point.code}
          position={shown.position}
          className={styles['popup']}
          offset={[0, -8]}
          minWidth={170}
          maxWidth={220}
          autoPan={false}
          autoClose={false}
          closeButton={false}
          closeOnClick={false}
          closeOnEscapeKey={false}
        >
          <PointCard point={shown.point} />
        </Popup>
      )}
    </>
  );
}

function PointMarker({ place, keeper }: { readonly place: PlacedPoint; readonly keeper: PopupController }) {
  const { point, position } = place;
  const [face] = useState(() => document.createElement('div'));
  const left = labelSide(point) === 'west' ? 46 : 10;
  const icon = useMemo(() => {
    // The area to tap includes the label, which is on the side away from the nearest other point.
    return divIcon({ html: face, className: styles['marker'], iconSize: [56, 44], iconAnchor: [left, 22] });
  }, [face, left]);
  const add = ({ target }: LeafletEvent) => {
    const element = (target as LeafletMarker).getElement()!;
    element.dataset['code'] = point.code;
    element.setAttribute('aria-label', `${point.code} ${point.name}, ${mainWords(roles[point.type])}`);
    element.addEventListener('focus', () => keeper.stay(place, element.matches(':focus-visible')));
    element.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      keeper.stay(place, true);
    });
    element.addEventListener('blur', () => keeper.hide());
  };
  const under = ({ originalEvent }: LeafletMouseEvent) => keeper.show(place, originalEvent);
  return (
    <>
      <Marker
        position={position}
        icon={icon}
        riseOnHover
        autoPanOnFocus={false}
        eventHandlers={{
          add,
          mouseover: under,
          mousemove: under,
          mouseout: () => keeper.leave(),
          click: () => keeper.stay(place, true),
        }}
      />
      {createPortal(
        <svg viewBox={`-${left} -22 56 44`} data-type={point.type} aria-hidden="true">
          <PointMark point={point} />
        </svg>,
        face,
      )}
    </>
  );
}

function PointCard({ point }: { readonly point: NetworkPoint }) {
  return (
    <>
      <p className={styles['code']}>
        {point.code} <span>{point.name}</span>
      </p>
      <Bilingual text={roles[point.type]} />
      {point.type === 'destination' ? (
        <ul>
          {point.by.map((mode) => (
            <li key={mode}>{mainWords(network.modes[mode])}</li>
          ))}
        </ul>
      ) : (
        <p>
          <Inline text={words.more[point.type]} />
        </p>
      )}
    </>
  );
}
