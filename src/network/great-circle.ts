/** Position on the globe, in degrees. */
export interface Position {
  readonly lat: number;
  readonly lng: number;
}

const RADIANS = Math.PI / 180;

/**
 * Returns points on the shortest path over the globe, in `steps` equal parts. East of 180° the longitude goes on (181°,
 * 182°…), so that the line does not jump to the other edge of the map.
 */
export function greatCircle(from: Position, to: Position, steps: number): Position[] {
  const [start, end] = [vector(from), vector(to)];
  const angle = Math.acos(
    Math.min(
      1,
      start.reduce((sum, value, axis) => sum + value * end[axis]!, 0),
    ),
  );
  let lng = from.lng;
  return Array.from({ length: steps + 1 }, (_, step) => {
    if (step === 0) return from;
    const part = step / steps;
    const [a, b] = [Math.sin((1 - part) * angle), Math.sin(part * angle)].map((weight) => weight / Math.sin(angle));
    const [x, y, z] = start.map((value, axis) => a! * value + b! * end[axis]!) as [number, number, number];
    const east = Math.atan2(y, x) / RADIANS;
    lng = east + 360 * Math.round((lng - east) / 360);
    return { lat: Math.atan2(z, Math.hypot(x, y)) / RADIANS, lng };
  });
}

function vector({ lat, lng }: Position): [number, number, number] {
  const [phi, lambda] = [lat * RADIANS, lng * RADIANS];
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
}
