import type { NetworkPoint } from '../content/network.ts';
import styles from './NetworkStill.module.css';

/** West of these is room for the name; of the others, east. */
const NAMED_WEST = new Set(['CGO', 'CAN', 'TIJ', 'AIFA']);

export const isNamedWest = (code: string) => NAMED_WEST.has(code);

interface Props {
  readonly point: NetworkPoint;
  readonly x?: number;
  readonly y?: number;
}

/** One point: its type is told by its shape. */
export function PointMark({ point: { code, type }, x = 0, y = 0 }: Props) {
  const west = isNamedWest(code);
  return (
    <g className={styles[type]} transform={x || y ? `translate(${x} ${y})` : undefined}>
      {type === 'origin' ? <path d="M0-7L7 6H-7z" /> : <circle r={type === 'hub' ? 9 : 5} />}
      <text x={west ? -13 : 11} y="6" textAnchor={west ? 'end' : undefined}>
        {code}
      </text>
    </g>
  );
}
