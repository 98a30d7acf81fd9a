import { legMarks } from './leg-marks.ts';
import styles from './Leg.module.css';

/** The great circle above a heading: how far the flight is when the reader gets there. */
export function Leg({ flown }: { readonly flown: number }) {
  const { cx, cy, dash } = legMarks(flown);
  const arc = 'M4 18Q60-12 116 18';
  return (
    <svg className={styles['leg']} viewBox="0 0 120 22" aria-hidden="true">
      <path d={arc} />
      <path d={arc} pathLength="1" strokeDasharray={dash} />
      <circle cx={cx} cy={cy} r="3.5" />
    </svg>
  );
}
