import { network } from '../content/network.ts';
import { points } from '../content/points.ts';
import { PointMark } from './PointMark.tsx';
import { arrivalsAt, placeInStill } from './view.ts';
import styles from './NetworkStill.module.css';

/**
 * The network as the map opens: for browsers without scripts, and until the map is ready. The points are in the
 * document; land and lines are a lazily loaded picture.
 */
export function NetworkStill() {
  return (
    <>
      <img className={styles['still']} src="/network-still.svg" width="1200" height="720" loading="lazy" alt="" />
      <svg className={styles['still']} viewBox="-600 -360 1200 720" aria-hidden="true">
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
