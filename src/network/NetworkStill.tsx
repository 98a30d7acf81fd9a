import { network, points } from '../content/network.ts';
import type { Place } from './great-circle.ts';
import { land } from './land.ts';
import { cut, simplify, type Ring } from './outline.ts';
import { PointMark } from './PointMark.tsx';
import { flights, lines, routes, type Mode } from './routes.ts';
import { arrivalsAt, placeInStill } from './view.ts';
import styles from './NetworkStill.module.css';

/** More than the widest frame shows. */
const BOX = { west: 58, east: 168, south: 3, north: 57 };
/** In pixels: how far the coast may be off, coarser the farther from the routes, and what is too small to draw. */
const coarse = ([x, y]: Pixel) => 3 + Math.hypot(x, y) / 70;
const SPECK = 24;
/** Of the points of a flight each so many-th will do. */
const STRIDE = 2;

/** The network as the map opens with it, drawn into the document: for no script, and until the map is there. */
export function NetworkStill() {
  return (
    <svg className={styles['still']} viewBox="-600 -360 1200 720" aria-hidden="true">
      <path className={styles['graticule']} d={graticule()} />
      <path className={styles['land']} d={coast()} />
      <g fill="none" stroke={lines['air-perishable'].colour}>
        {flights.map((path) => (
          <path key={path[0]!.lng} d={arrival(path)} />
        ))}
      </g>
      {(Object.keys(lines) as Mode[]).map((mode) => (
        <path
          key={mode}
          fill="none"
          stroke={lines[mode].colour}
          strokeWidth={lines[mode].weight}
          strokeDasharray={lines[mode].dash}
          d={routes
            .filter((route) => route.mode === mode)
            .map(({ path }) => bow(path))
            .join('')}
        />
      ))}
      <text className={styles['note']} {...placeInStill(arrivalsAt)}>
        {network.arrivals}
      </text>
      {points
        .filter(({ type }) => type !== 'origin')
        .map((point) => {
          const { x, y } = placeInStill(point);
          return (
            <g key={point.code} transform={`translate(${Math.round(x)} ${Math.round(y)})`}>
              <PointMark point={point} />
            </g>
          );
        })}
    </svg>
  );
}

function coast(): string {
  return land.coordinates
    .flat()
    .map((ring) => cut(ring, BOX).map(([lng, lat]) => pixels({ lng, lat })))
    .filter((ring) => ring.length > 3 && [0, 1].some((axis) => spread(ring.map((point) => point[axis]!)) > SPECK))
    .map((ring) => `${trace(simplify(ring, coarse).slice(0, -1))}z`)
    .join('');
}

/** Only as much of the way as the frame shows. */
function arrival(path: readonly Place[]): string {
  const inSight = path.filter(({ lng }) => lng < BOX.east).toReversed();
  return trace(inSight.filter((_, step) => step % STRIDE === 0).map(pixels));
}

/** The lanes are parabolas: one curve draws them as they are. */
function bow(path: readonly Place[]): string {
  const [from, middle, to] = [path[0]!, path[path.length >> 1]!, path.at(-1)!].map(pixels) as [Pixel, Pixel, Pixel];
  const bend = [0, 1].map((axis) => Math.round(2 * middle[axis]! - (from[axis]! + to[axis]!) / 2 - from[axis]!));
  return `M${from.join(' ')}q${bend.join(' ')} ${to.map((value, axis) => value - from[axis]!).join(' ')}`;
}

function graticule(): string {
  const lngs = [60, 70, 80, 90, 100, 110, 120, 130, 140, 150, 160].map(
    (lng) => `M${pixels({ lat: 34, lng })[0]}-360v720`,
  );
  const lats = [10, 20, 30, 40, 50].map((lat) => `M-600 ${pixels({ lat, lng: 113 })[1]}h1200`);
  return [...lngs, ...lats].join('');
}

type Pixel = readonly [x: number, y: number];

function pixels(place: Place): Pixel {
  const { x, y } = placeInStill(place);
  return [Math.round(x), Math.round(y)];
}

/** Each point from the one before: small numbers weigh little. */
function trace(points: Ring): string {
  return points
    .map(([x, y], step) => {
      const [left, up] = points[step - 1] ?? [0, 0];
      return `${step === 0 ? 'M' : 'l'}${x - left} ${y - up}`;
    })
    .join('')
    .replaceAll(' -', '-');
}

const spread = (values: readonly number[]) => Math.max(...values) - Math.min(...values);
