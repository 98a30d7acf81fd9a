import { network, points } from '../content/network.ts';
import type { Place } from './great-circle.ts';
import { BOX, pixels, trace, type Pixel } from './land-picture.ts';
import { PointMark } from './PointMark.tsx';
import { flights, lines, routes, type Mode } from './routes.ts';
import { arrivalsAt, placeInStill } from './view.ts';
import styles from './NetworkStill.module.css';

/** Of the points of a flight each so many-th will do. */
const STRIDE = 2;

/**
 * The network as the map opens with it, drawn into the document: for no script, and until the map is there. The land
 * beneath comes when it is near; without it everything is still there to be read.
 */
export function NetworkStill() {
  return (
    <>
      <img className={styles['still']} src="/network-land.svg" width="1200" height="720" loading="lazy" alt="" />
      <svg className={styles['still']} viewBox="-600 -360 1200 720" aria-hidden="true">
        <g fill="none">
          <path stroke={lines['air-perishable'].colour} d={flights.map(arrival).join('')} />
          {(Object.keys(lines) as Mode[]).map((mode) => (
            <path
              key={mode}
              stroke={lines[mode].colour}
              strokeWidth={lines[mode].weight}
              strokeDasharray={lines[mode].dash}
              d={routes
                .filter((route) => route.mode === mode)
                .map(({ path }) => bow(path))
                .join('')}
            />
          ))}
        </g>
        <text className={styles['note']} {...placeInStill(arrivalsAt)}>
          {network.arrivals}
        </text>
        {points
          .filter(({ type }) => type !== 'origin')
          .map((point) => {
            const { x, y } = placeInStill(point);
            return <PointMark key={point.code} point={point} x={Math.round(x)} y={Math.round(y)} />;
          })}
      </svg>
    </>
  );
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
