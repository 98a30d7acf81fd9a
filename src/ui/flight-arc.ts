/** Returns the aircraft's position on the drawn flight path, and the dash that draws the covered part of the path. */
export function flightArc(flown: number) {
  return { cx: (4 + 112 * flown).toFixed(1), cy: (18 - 60 * flown * (1 - flown)).toFixed(1), dash: `${flown} 1` };
}
