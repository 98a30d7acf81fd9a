import { latLngBounds, type Map as LeafletMap } from 'leaflet';
import { useEffect, useEffectEvent, useState } from 'react';
import { map as words } from '../content/network.ts';
import { mapPadding } from './map-padding.ts';
import { hub } from '../content/points.ts';
import { flights } from './routes.ts';
import { MapButtons } from './MapButtons.tsx';
import { MIN_ZOOM, opening, type ButtonPresses } from './view.ts';

const PORTS = latLngBounds(flights.map(([port]) => port!));
const WHOLE = latLngBounds([...flights.flat(), hub]);
/** Pixels that stay free at the map's edges, for labels and for the buttons on the right. */
const EDGE = { left: 80, top: 40, right: 80, bottom: 40 };

interface Props {
  readonly map: LeafletMap;
  readonly zoom: number;
  /** True if nothing moves by itself on the map. The pause button is then left out. */
  readonly calm: boolean;
  readonly paused: boolean;
  readonly onPause: (paused: boolean) => void;
  readonly presses: ButtonPresses;
}

export function MapControls({ map, zoom, calm, paused, onPause, presses }: Props) {
  const [away, setAway] = useState(presses.away);
  // The buttons of NetworkMap have been replaced by these. If a replaced button had the focus, the focus fell to the
  // body, and the same button here takes the focus.
  const [focused] = useState(() => (document.activeElement === document.body ? presses.last : undefined));
  const applyPresses = useEffectEvent(() => {
    if (presses.away) showWhole(map, false);
    if (presses.steps !== 0) map.setZoom(map.getZoom() + presses.steps, { animate: false });
  });
  useEffect(() => applyPresses(), []);
  const [fits, setFits] = useState(() => fitsWhole(map));
  useEffect(() => {
    const look = () => setFits(fitsWhole(map));
    map.on('resize', look);
    return () => void map.off('resize', look);
  }, [map]);

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
      whole={fits ? words.whole : words.mexico}
      onChange={change}
      focused={focused}
      paused={calm ? undefined : paused}
      onPause={onPause}
    />
  );
}

/**
 * Shows both shores of the Pacific if they fit beside the text over the map; otherwise the Mexican ports and their
 * flights.
 */
function showWhole(map: LeafletMap, animate: boolean): void {
  const { paddingTopLeft, paddingBottomRight } = mapPadding(map, EDGE);
  map.flyToBounds(fitsWhole(map) ? WHOLE : PORTS, { paddingTopLeft, paddingBottomRight, animate });
}

function fitsWhole(map: LeafletMap): boolean {
  const { paddingTopLeft, paddingBottomRight } = mapPadding(map, EDGE);
  const room = map.getSize().subtract(paddingTopLeft).subtract(paddingBottomRight);
  const needed = map.project(WHOLE.getSouthEast(), MIN_ZOOM).subtract(map.project(WHOLE.getNorthWest(), MIN_ZOOM));
  return needed.x <= room.x && needed.y <= room.y;
}
