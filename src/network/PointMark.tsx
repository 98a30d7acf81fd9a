import type { NetworkPoint } from '../content/points.ts';
import { labelSide } from './label-side.ts';
import styles from './PointMark.module.css';

export function PointMark({ point }: { readonly point: NetworkPoint }) {
  const { code, type } = point;
  const west = labelSide(point) === 'west';
  return (
    <g className={styles[type]}>
      {type === 'origin' ? <path d="M0-7L7 6H-7z" /> : <circle r={type === 'hub' ? 9 : 5} />}
      <text x={west ? -13 : 11} y="6" textAnchor={west ? 'end' : undefined}>
        {code}
      </text>
    </g>
  );
}
