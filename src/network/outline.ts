export type Ring = (readonly [lng: number, lat: number])[];

export interface Box {
  readonly west: number;
  readonly east: number;
  readonly south: number;
  readonly north: number;
}

/** Edges of the map in degrees. The Pacific is in the middle, and the Atlantic at both sides. */
export const frame: Box = { west: -26, east: 334, south: -57, north: 83 };

/** Returns a longitude between the map's edges. A place west of the western edge is moved 360° to the east. */
export const inFrame = (lng: number) => (lng < frame.west ? lng + 360 : lng);

/**
 * Cuts off what lies outside the box (algorithm of Sutherland and Hodgman). The returned ring ends at its first point.
 */
export function cut(ring: Ring, { west, east, south, north }: Box): Ring {
  return (
    [
      [0, west, 1],
      [0, east, -1],
      [1, south, 1],
      [1, north, -1],
    ] as const
  ).reduce<Ring>((rest, [axis, limit, keep]) => cutOne(rest, axis, limit, keep), ring);
}

function cutOne(ring: Ring, axis: 0 | 1, limit: number, keep: 1 | -1): Ring {
  const isIn = (point: Ring[number]) => (point[axis] - limit) * keep >= 0;
  const inside = ring.slice(1).flatMap((to, place): Ring => {
    const from = ring[place]!;
    if (isIn(from) === isIn(to)) return isIn(to) ? [to] : [];
    const part = (limit - from[axis]) / (to[axis] - from[axis]);
    const edge = [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part] as const;
    return isIn(to) ? [edge, to] : [edge];
  });
  return inside.length > 0 ? [inside.at(-1)!, ...inside] : [];
}

/** Removes points whose removal changes the line by less than the tolerance (algorithm of Douglas and Peucker). */
export function simplify(ring: Ring, tolerance: (point: Ring[number]) => number): Ring {
  const chosen = new Set([0, ring.length - 1]);
  const spans: [number, number][] = [];
  // The algorithm needs lines with two different ends. A closed ring is therefore divided at the point farthest from
  // its start.
  const half = farthest(ring, 0, ring.length - 1, () => 1).at;
  chosen.add(half);
  spans.push([0, half], [half, ring.length - 1]);
  for (let span = spans.pop(); span; span = spans.pop()) {
    const [from, to] = span;
    const { at, off } = farthest(ring, from, to, tolerance);
    if (off <= 1) continue;
    chosen.add(at);
    spans.push([from, at], [at, to]);
  }
  return ring.filter((_, place) => chosen.has(place));
}

function farthest(ring: Ring, from: number, to: number, tolerance: (point: Ring[number]) => number) {
  let [at, off] = [from, 0];
  for (let place = from + 1; place < to; place += 1) {
    const distance = fromChord(ring[place]!, ring[from]!, ring[to]!) / tolerance(ring[place]!);
    if (distance > off) [at, off] = [place, distance];
  }
  return { at, off };
}

function fromChord(point: Ring[number], from: Ring[number], to: Ring[number]): number {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : ((point[0] - from[0]) * dx + (point[1] - from[1]) * dy) / length;
  const part = Math.min(Math.max(along, 0), 1);
  return Math.hypot(point[0] - from[0] - part * dx, point[1] - from[1] - part * dy);
}
