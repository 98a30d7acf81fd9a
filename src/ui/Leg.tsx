import styles from './Leg.module.css';

/** The great circle above a heading: how far the flight is when the reader gets there. */
export function Leg({ flown }: { readonly flown: number }) {
  const x = (4 + 112 * flown).toFixed(1);
  const y = (18 - 60 * flown * (1 - flown)).toFixed(1);
  const arc = 'M4 18Q60-12 116 18';
  return (
    <svg className={styles['leg']} viewBox="0 0 120 22" aria-hidden="true">
      <path d={arc} />
      <path d={arc} pathLength="1" strokeDasharray={`${flown} 1`} />
      <circle cx={x} cy={y} r="3.5" />
    </svg>
  );
}
