import type { NetworkPoint } from '../content/points.ts';
import { labelSide } from './label-side.ts';
import styles from './NetworkStill.module.css';

interface Props {
  readonly point: NetworkPoint;
  readonly x?: number;
  readonly y?: number;
}

/** A point; its shape shows its type, without colour. */
export function PointMark({ point, x = 0, y = 0 }: Props) {
  const { code, type } = point;
  const west = labelSide(point) === 'west';
  return (
    <g className={styles[type]} transform={x || y ? `translate(${x} ${y})` : undefined}>
      {type === 'origin' ? <path d="M0-7L7 6H-7z" /> : <circle r={type === 'hub' ? 9 : 5} />}
      <text x={west ? -13 : 11} y="6" textAnchor={west ? 'end' : undefined}>
        {code}
      </text>
    </g>
  );
}
