import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readLand } from '../../build/drawings.ts';
import { stillPicture } from '../../build/drawings/network-still.ts';
import { destinations, hub, MODES, origins, points, reachedBy, type Mode } from '../../src/content/points.ts';
import { greatCircle } from '../../src/network/great-circle.ts';
import { cut, frame, simplify, type Ring } from '../../src/network/outline.ts';
import { LOADING, nextPhase, type PhaseEvent } from '../../src/network/loading-phase.ts';
import { flights, lines, routes } from '../../src/network/routes.ts';

describe('the points of the map', () => {
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
});

describe('the routes of the map', () => {
  test('the routes of each mode of transport lead from the hub to that mode’s destinations', () => {
    for (const mode of MODES) {
      const ofMode = routes.filter((route) => route.mode === mode);
      expect(ofMode.map(({ to }) => to.code)).toEqual(reachedBy(mode));
      expect(ofMode.every(({ from }) => from === hub)).toBe(true);
    }
    expect(new Set(routes.map(({ id }) => id)).size).toBe(routes.length);
  });

  test('the route lines of two modes of transport differ even without colour', () => {
    expect(lines['air-perishable'].weight).toBe(3);
    expect(lines['air-general'].weight).toBe(2);
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
});

describe('a great circle', () => {
  test('a great circle along the equator stays on the equator', () => {
    const path = greatCircle({ lat: 0, lng: 10 }, { lat: 0, lng: 50 }, 4);
    expect(path.map(({ lng }) => Math.round(lng))).toEqual([10, 20, 30, 40, 50]);
    for (const { lat } of path) expect(lat).toBeCloseTo(0, 9);
  });

  test('a great circle between two points of one meridian follows that meridian', () => {
    for (const { lng } of greatCircle({ lat: -20, lng: 7 }, { lat: 60, lng: 7 }, 8)) expect(lng).toBeCloseTo(7, 9);
  });

  test('a great circle between two places of one latitude bends towards the pole', () => {
    const middle = greatCircle({ lat: 45, lng: 0 }, { lat: 45, lng: 90 }, 2)[1]!;
    expect(middle.lng).toBeCloseTo(45, 9);
    expect(middle.lat).toBeCloseTo(54.7356, 4);
  });

  test('a great circle across the date line continues beyond 180°', () => {
    const lngs = greatCircle({ lat: 0, lng: 170 }, { lat: 0, lng: -160 }, 3).map(({ lng }) => Math.round(lng));
    expect(lngs).toEqual([170, 180, 190, 200]);
  });
});

describe('the loading phases of the map', () => {
  test.each<[readonly PhaseEvent[], string]>([
    [[], 'loading'],
    [['ready'], 'ready'],
    [['timeout'], 'forced'],
    [['error'], 'failed'],
    [['ready', 'timeout'], 'ready'],
    [['ready', 'ready'], 'ready'],
    [['ready', 'error'], 'failed'],
    [['timeout', 'ready'], 'ready'],
    [['timeout', 'timeout'], 'forced'],
    [['timeout', 'error'], 'failed'],
    [['timeout', 'ready', 'timeout'], 'ready'],
    [['error', 'ready'], 'failed'],
    [['error', 'timeout'], 'failed'],
    [['error', 'timeout', 'ready'], 'failed'],
    [['timeout', 'error', 'ready'], 'failed'],
    [['ready', 'error', 'ready'], 'failed'],
  ])('the map after the events %j is %s', (events, kind) => {
    expect(events.reduce(nextPhase, LOADING).kind).toBe(kind);
  });
});

describe('the outline of the land', () => {
  const square: Ring = [
    [0, 0],
    [10, 0],
    [10, 10],
    [0, 10],
    [0, 0],
  ];

  test('an outline is cut at the edges of the map', () => {
    const inside = cut(square, { west: 5, east: 20, south: -5, north: 5 });
    expect(inside.at(0)).toEqual(inside.at(-1));
    expect(new Set(inside.map(String))).toEqual(new Set(['5,0', '10,0', '10,5', '5,5']));
    expect(cut(square, { west: 20, east: 30, south: 0, north: 9 })).toEqual([]);
  });

  test('a simplified outline moves no line further than the tolerance', () => {
    const [start, ...rest] = square as [Ring[number], ...Ring];
    const ring: Ring = [start, [2, 0.1], [10, 0], [13, 5], ...rest.slice(1)];
    expect(simplify(ring, () => 0.5)).toEqual(ring.filter(([x]) => x !== 2));
    expect(simplify(ring, () => 0.05)).toEqual(ring);
  });
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

describe('the drawn land', () => {
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
    for (const [lng, lat] of [
      [180, 30],
      [125, 30],
      [220, 0],
    ] as const) {
      expect(rings.some((ring) => holds(ring, lng, lat))).toBe(false);
    }
  });
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
