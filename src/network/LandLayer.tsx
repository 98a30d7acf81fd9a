import { useEffect } from 'react';
import { Polygon, Polyline } from 'react-leaflet';
import { land } from './land.ts';
import { frame } from './outline.ts';
import styles from './MapView.module.css';

type LatLng = [lat: number, lng: number];

const LAND: LatLng[][][] = land.coordinates.map((polygon) =>
  polygon.map((ring) => ring.map(([lng, lat]) => [lat, lng])),
);

const GRATICULE: LatLng[][] = [
  ...every(10, -20, frame.east).map((lng): LatLng[] => [
    [frame.south, lng],
    [frame.north, lng],
  ]),
  ...every(10, -50, frame.north).map((lat): LatLng[] => [
    [lat, frame.west],
    [lat, frame.east],
  ]),
];

export function LandLayer({ onDrawn }: { readonly onDrawn: () => void }) {
  useEffect(onDrawn, [onDrawn]);
  return (
    <>
      <Polyline positions={GRATICULE} interactive={false} className={styles['graticule']} weight={1} />
      <Polygon positions={LAND} interactive={false} className={styles['coast']} weight={1} fillOpacity={1} />
    </>
  );
}

function every(step: number, from: number, to: number): number[] {
  return Array.from({ length: Math.ceil((to - from) / step) }, (_, place) => from + place * step);
}
