import type { LeafletEvent, Path } from 'leaflet';
import { Polyline } from 'react-leaflet';
import type { Position } from './great-circle.ts';
import { type Mode } from '../content/points.ts';
import { flights, lines, routes } from './routes.ts';
import styles from './MapView.module.css';

const { colour } = lines['air-perishable'];
const MODES = Object.keys(lines) as Mode[];

export function RouteLayer() {
  return (
    <>
      {flights.map((path) => (
        <Polyline
          key={path[0]!.lng}
          positions={path}
          interactive={false}
          smoothFactor={0}
          color={colour}
          weight={1.5}
          opacity={1}
        />
      ))}
      {routes.map(({ id, mode, path }) => {
        const { colour: color, weight, dash: dashArray } = lines[mode];
        const look = {
          color,
          weight,
          dashArray: dashArray ?? '',
          opacity: 1,
          lineCap: 'butt',
          smoothFactor: 0,
        } as const;
        return <Polyline key={id} positions={path} interactive={false} {...look} />;
      })}
    </>
  );
}

/**
 * Pulses that run along the lines at each tick: first to the hub, then from the hub, one mode of transport after the
 * other.
 */
export function PulseLayer() {
  return (
    <>
      {flights.map((path) => (
        <Pulse key={path[0]!.lng} positions={path} order={0} colour={colour} />
      ))}
      {routes.map(({ id, mode, path }) => (
        <Pulse key={id} positions={path} order={3 + MODES.indexOf(mode)} colour={lines[mode].colour} />
      ))}
    </>
  );
}

interface PulseProps {
  readonly positions: Position[];
  readonly order: number;
  readonly colour: string;
}

function Pulse({ positions, order, colour: color }: PulseProps) {
  const add = ({ target }: LeafletEvent) => {
    const element = (target as Path).getElement() as SVGPathElement;
    // With a length of 1 for every path, the animation is the same at each zoom level.
    element.setAttribute('pathLength', '1');
    element.style.animationDelay = `${order * 0.25}s`;
  };
  return (
    <Polyline
      positions={positions}
      interactive={false}
      className={styles['pulse']}
      color={color}
      weight={7}
      opacity={1}
      noClip
      smoothFactor={0}
      eventHandlers={{ add }}
    />
  );
}
