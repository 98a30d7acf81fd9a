import { network, points } from '../content/network.ts';
import styles from './NetworkDrawing.module.css';

const WEST = 103;
const NORTH = 43;
const DEGREE = 20;
/** A degree of longitude is this much of one of latitude at 32° N. */
const SQUEEZE = 0.85;

const WIDE = 999;

/** Every five degrees, far enough beyond the drawing to fill whatever frame it stands in. */
const GRATICULE = [
  ...Array.from({ length: 11 }, (_, line) => `M${5 * DEGREE * SQUEEZE * (line - 3) + 34}-99v${WIDE}`),
  ...Array.from({ length: 7 }, (_, line) => `M-300 ${5 * DEGREE * line + 60}h${WIDE}`),
].join('');

function place({ lat, lng }: { lat: number; lng: number }) {
  return { x: Math.round((lng - WEST) * DEGREE * SQUEEZE), y: Math.round((NORTH - lat) * DEGREE) };
}

/** The Chinese side of the network on a bare graticule; the list beside it says the same in words. */
export function NetworkDrawing() {
  const inChina = points.filter(({ type }) => type !== 'origin');
  const origins = points.filter(({ type }) => type === 'origin');
  const hub = place(inChina.find(({ type }) => type === 'hub')!);
  return (
    <svg className={styles['drawing']} viewBox="0 0 440 480" aria-hidden="true">
      <path className={styles['graticule']} d={GRATICULE} />
      {inChina.map((point) => {
        const { x, y } = place(point);
        return point.type === 'hub' ? null : <path key={point.code} d={`M${hub.x} ${hub.y}L${x} ${y}`} />;
      })}
      <path className={styles['arrival']} d={`M510-96Q340 15 ${hub.x} ${hub.y}`} />
      <text x="316" y="74">
        {origins.map(({ code }) => code).join(' · ')}
      </text>
      {inChina.map((point) => {
        const { x, y } = place(point);
        const isHub = point.type === 'hub';
        const left = isHub || point.code === 'CAN';
        return (
          <g key={point.code}>
            <circle cx={x} cy={y} r={isHub ? 9 : 5} />
            <text x={left ? x - 14 : x + 12} y={y + 6} textAnchor={left ? 'end' : 'start'}>
              {point.code}
            </text>
          </g>
        );
      })}
      <text className={styles['note']} x="316" y="94">
        {network.arrivals}
      </text>
    </svg>
  );
}
