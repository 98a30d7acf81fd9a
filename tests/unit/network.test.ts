import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readLand } from '../../build/drawings.ts';
import { stillPicture } from '../../build/drawings/network-still.ts';
import { destinations, hub, MODES, origins, points, reachedBy, type Mode } from '../../src/content/points.ts';
import { greatCircle } from '../../src/network/great-circle.ts';
import { cut, frame, simplify, type Ring } from '../../src/network/outline.ts';
import { LOADING, nextPhase, type PhaseEvent } from '../../src/network/loading-phase.ts';
import { flights, lines, routes } from '../../src/network/routes.ts';

test('the points are one hub, origins and destinations, each with its own code', () => {
  expect(points.filter(({ type }) => type === 'hub')).toEqual([hub]);
  expect([hub, ...origins, ...destinations]).toHaveLength(points.length);
  expect(new Set(points.map(({ code }) => code)).size).toBe(points.length);
});

test('origins lie in Mexico, and all other points lie in or near China', () => {
  for (const { code, lat, lng, type } of points) {
    const [west, east, south, north] = type === 'origin' ? [-118, -86, 14, 33] : [73, 135, 18, 54];
    expect(lng > west && lng < east && lat > south && lat < north, code).toBe(true);
  }
});

test('the routes of each mode of transport lead from the hub to that mode’s destinations', () => {
  for (const mode of MODES) {
    const ofMode = routes.filter((route) => route.mode === mode);
    expect(ofMode.map(({ to }) => to.code)).toEqual(reachedBy(mode));
    expect(ofMode.every(({ from }) => from === hub)).toBe(true);
  }
  expect(new Set(routes.map(({ id }) => id)).size).toBe(routes.length);
});

test('the route lines of two modes of transport differ even without colour', () => {
  const grey = Object.values(lines).map(({ weight, dash = '' }) => `${weight} ${dash}`);
  expect(new Set(grey).size).toBe(5);
  expect(new Set(Object.values(lines).map(({ colour }) => colour)).size).toBe(5);
});

test('routes begin at the hub, end at their point and never overlap', () => {
  for (const { path, to } of routes) {
    expect(path[0]!.lat).toBeCloseTo(hub.lat, 6);
    expect(path.at(-1)!.lng).toBeCloseTo(to.lng, 6);
  }
  const middles = routes.map(({ path }) => path[path.length >> 1]!);
  for (const [place, { lat, lng }] of middles.entries()) {
    const others = middles.filter((_, other) => other !== place);
    expect(Math.min(...others.map((other) => Math.hypot(other.lat - lat, other.lng - lng)))).toBeGreaterThan(0.15);
  }
});

test('the flight lines cross the Pacific without a jump at the date line', () => {
  expect(flights).toHaveLength(origins.length);
  for (const path of flights) {
    expect(path.at(-1)!.lng).toBeCloseTo(hub.lng, 6);
    expect(path.at(-1)!.lat).toBeCloseTo(hub.lat, 6);
    for (const [step, { lat, lng }] of path.entries()) {
      expect(lng > frame.west && lng < frame.east && lat < frame.north).toBe(true);
      if (step > 0) expect(Math.abs(lng - path[step - 1]!.lng)).toBeLessThan(10);
    }
  }
});

test.each([
  ['along the equator stays on the equator', [0, 10], [0, 50], [0, 30]],
  ['between two points of one meridian follows that meridian', [-20, 7], [60, 7], [20, 7]],
  ['between two places of one latitude bends towards the pole', [45, 0], [45, 90], [54.7356, 45]],
  ['across the date line continues beyond 180°', [0, 170], [0, -160], [0, 185]],
] as const)('a great circle %s', (_, [fromLat, fromLng], [toLat, toLng], middle) => {
  const path = greatCircle({ lat: fromLat, lng: fromLng }, { lat: toLat, lng: toLng }, 2);
  expect([path[1]!.lat, path[1]!.lng].map((degrees) => Number(degrees.toFixed(4)))).toEqual(middle);
});

test.each<[reached: readonly PhaseEvent[], onReady: string, onTimeout: string]>([
  [[], 'ready', 'forced'],
  [['ready'], 'ready', 'ready'],
  [['timeout'], 'ready', 'forced'],
  [['error'], 'failed', 'failed'],
])('the map after the events %j becomes %s if ready, %s after a time-out, else failed', (reached, ready, timeout) => {
  const after = (event: PhaseEvent) => [...reached, event].reduce(nextPhase, LOADING).kind;
  expect([after('ready'), after('timeout'), after('error')]).toEqual([ready, timeout, 'failed']);
});

const cornerOf = (text: string) => text.split(',').map(Number) as unknown as Ring[number];

const [start, ...rest] = ['0,0', '10,0', '10,10', '0,10', '0,0'].map(cornerOf) as [Ring[number], ...Ring];
const square: Ring = [start, ...rest];

test('an outline is cut at the edges of the map', () => {
  const inside = cut(square, { west: 5, east: 20, south: -5, north: 5 });
  expect(inside.at(0)).toEqual(inside.at(-1));
  expect(new Set(inside.map(String))).toEqual(new Set(['5,0', '10,0', '10,5', '5,5']));
  expect(cut(square, { west: 20, east: 30, south: 0, north: 9 })).toEqual([]);
});

test('a simplified outline moves no line further than the tolerance', () => {
  const ring: Ring = [start, [2, 0.1], [10, 0], [13, 5], ...rest.slice(1)];
  expect(simplify(ring, () => 0.5)).toEqual(ring.filter(([x]) => x !== 2));
  expect(simplify(ring, () => 0.05)).toEqual(ring);
});

test('the picture shown before the map loads has the routes and colours of the page', () => {
  const tokens = readFileSync('src/styles/tokens.css', 'utf8');
  const picture = stillPicture(readLand());
  const drawn = (mode: Mode) => {
    const { colour, weight } = lines[mode];
    return new RegExp(`stroke="${RegExp.escape(colour)}" stroke-width="${weight}"[^>]* d="([^"]*)"`).exec(picture)![1]!;
  };
  for (const mode of Object.keys(lines) as Mode[])
    expect(drawn(mode).match(/M/g), mode).toHaveLength(routes.filter((route) => route.mode === mode).length);
  for (const [property] of picture.matchAll(/(?<=var\()--\w+/g)) {
    const values = [...picture.matchAll(new RegExp(`${property}:(#\\w+);`, 'g'))].map(([, value]) => value);
    expect(values, property).toHaveLength(2);
    for (const value of values) expect(tokens).toContain(`${property}: ${value};`);
  }
});

const file = readFileSync('src/network/land.geojson');
const land = JSON.parse(file.toString()) as { type: string; coordinates: Ring[][] };
const rings = land.coordinates.flat();

test('the land stays within the map, without lines across the map', () => {
  for (const ring of rings) {
    for (const [step, [lng, lat]] of ring.entries()) {
      expect(lng >= frame.west && lng <= frame.east && lat >= frame.south && lat <= frame.north).toBe(true);
      const [previous] = ring[step - 1] ?? [lng];
      // Edges along the border of the map may be longer than 25 degrees.
      if (Math.abs(lng - previous) > 25) expect([frame.south, frame.north]).toContain(lat);
    }
  }
});

test('the land lies under inland airports, and not under points in the open sea', () => {
  const inFrame = (lng: number) => (lng < frame.west ? lng + 360 : lng);
  const dry = points.filter(
    (point) => rings.filter((ring) => holds(ring, inFrame(point.lng), point.lat)).length % 2 === 1,
  );
  expect(dry.map(({ code }) => code)).toEqual(expect.arrayContaining(['CGO', 'PEK', 'CAN', 'AIFA']));
  const isDry = (lng: number, lat: number) => rings.some((ring) => holds(ring, lng, lat));
  expect([isDry(180, 30), isDry(125, 30), isDry(220, 0)]).toEqual([false, false, false]);
});

/** Returns whether a point is inside a ring: a line to the east then crosses the ring an odd number of times. */
function holds(ring: Ring, lng: number, lat: number): boolean {
  let inside = false;
  for (const [step, [x, y]] of ring.entries()) {
    const [fromX, fromY] = ring[step - 1] ?? ring.at(-1)!;
    if (y > lat !== fromY > lat && lng < ((fromX - x) * (lat - y)) / (fromY - y) + x) inside = !inside;
  }
  return inside;
}
