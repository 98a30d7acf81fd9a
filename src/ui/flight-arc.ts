/** Position of the aircraft on the arc of FlightArc, and the dash that draws the flown part. */
export function flightArc(flown: number) {
  return { cx: (4 + 112 * flown).toFixed(1), cy: (18 - 60 * flown * (1 - flown)).toFixed(1), dash: `${flown} 1` };
}
