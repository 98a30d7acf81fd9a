import { latLngBounds, type Map as LeafletMap } from 'leaflet';
import { useEffect, useEffectEvent, useState } from 'react';
import { roomIn } from './covered.ts';
import { hub } from '../content/points.ts';
import { flights } from './routes.ts';
import { MapButtons } from './MapButtons.tsx';
import { MIN_ZOOM, opening, type Asked } from './view.ts';

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
  readonly asked: Asked;
}

export function MapControls({ map, zoom, calm, paused, onPause, asked }: Props) {
  const [away, setAway] = useState(asked.away);
  // The buttons before these have gone, and took the focus along.
  const [focused] = useState(() => (document.activeElement === document.body ? asked.last : undefined));
  const doWhatWasAsked = useEffectEvent(() => {
    if (asked.away) showWhole(map, false);
    if (asked.steps !== 0) map.setZoom(map.getZoom() + asked.steps, { animate: false });
  });
  useEffect(() => doWhatWasAsked(), []);

  const change = () => {
    if (away) map.flyTo(opening, opening.zoom, { animate: !calm });
    else showWhole(map, !calm);
    setAway(!away);
  };
  return (
    <MapButtons
      zoom={zoom}
      onZoom={(by) => map.setZoom(map.getZoom() + by)}
      away={away}
      onChange={change}
      focused={focused}
      paused={calm ? undefined : paused}
      onPause={onPause}
    />
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
