import { flightArc } from './flight-arc.ts';
import styles from './FlightArc.module.css';

/** Drawn flight path that decorates a heading. `flown`: part of the way that the aircraft has covered, from 0 to 1. */
export function FlightArc({ flown }: { readonly flown: number }) {
  const { cx, cy, dash } = flightArc(flown);
  const arc = 'M4 18Q60-12 116 18';
  return (
    <svg className={styles['leg']} viewBox="0 0 120 22" aria-hidden="true">
      <path d={arc} />
      <path d={arc} pathLength="1" strokeDasharray={dash} />
      <circle cx={cx} cy={cy} r="3.5" />
    </svg>
  );
}
