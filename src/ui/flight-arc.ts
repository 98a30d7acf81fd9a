/** Position of the mark on the great circle of FlightArc, and the flown fraction. */
export function flightArc(flown: number) {
  return { cx: (4 + 112 * flown).toFixed(1), cy: (18 - 60 * flown * (1 - flown)).toFixed(1), dash: `${flown} 1` };
}
