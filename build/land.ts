import { readFile, writeFile } from 'node:fs/promises';
import { cut, frame, simplify, type Ring } from '../src/network/outline.ts';

const OUT = 'src/network/land.geojson';

/** Degrees by which the simplified coast may differ from the real one: near the routes, and elsewhere. */
const NEAR = 0.04;
const FAR = 0.32;
/** Width below which an island is dropped, as a multiple of the tolerance. */
const SPECK = 3;

const REGIONS = [
  { west: 92, east: 146, south: 14, north: 50 },
  { west: 240, east: 276, south: 13, north: 35 },
];

interface Topology {
  readonly transform: { readonly scale: readonly [number, number]; readonly translate: readonly [number, number] };
  readonly arcs: readonly (readonly (readonly [number, number])[])[];
  readonly objects: { readonly land: { readonly geometries: readonly { readonly arcs: readonly number[][][] }[] } };
}

/** Cuts the land out of Natural Earth (1:50m, public domain), for a map with the Pacific in the middle. */
async function cutLand(): Promise<void> {
  const source = new URL(import.meta.resolve('world-atlas/land-50m.json'));
  const topology = JSON.parse(await readFile(source, 'utf8')) as Topology;
  const arcs = topology.arcs.map((arc) => decode(arc, topology.transform));
  const coordinates = topology.objects.land.geometries
    .flatMap((geometry) => geometry.arcs)
    .flatMap((polygon) => {
      const rings = polygon.map((ring) => unwrap(join(ring, arcs)));
      return [-360, 0, 360].map((turn) =>
        rings.map((ring) => outlineOf(turned(ring, turn))).filter((ring) => ring.length > 3),
      );
    })
    .filter((polygon) => polygon.length > 0);
  const text = JSON.stringify({ type: 'MultiPolygon', coordinates });
  await writeFile(OUT, `${text}\n`);
  console.log(`${OUT}: ${coordinates.length} polygons, ${coordinates.flat(2).length} points.`);
}

function decode(arc: Topology['arcs'][number], { scale, translate }: Topology['transform']): Ring {
  let [x, y] = [0, 0];
  return arc.map(([dx, dy]) => {
    x += dx;
    y += dy;
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
  });
}

function join(ring: readonly number[], arcs: readonly Ring[]): Ring {
  return ring.flatMap((index, place) => {
    const arc = index < 0 ? arcs[~index]!.toReversed() : arcs[index]!;
    return place === 0 ? arc : arc.slice(1);
  });
}

/** Makes the longitudes of a ring continuous: in the source they jump at 180°. */
function unwrap(ring: Ring): Ring {
  let turn = 0;
  return ring.map(([lng, lat], place) => {
    const previous = ring[place - 1]?.[0] ?? lng;
    if (lng - previous > 180) turn -= 360;
    if (previous - lng > 180) turn += 360;
    return [lng + turn, lat];
  });
}

const turned = (ring: Ring, turn: number): Ring => ring.map(([lng, lat]) => [lng + turn, lat]);

function outlineOf(ring: Ring): Ring {
  const closed = cut(ring, frame);
  const across = Math.max(...[0, 1].map((axis) => spread(closed.map((point) => point[axis]!))));
  if (closed.length < 4 || across < SPECK * Math.min(...closed.map(tolerance))) return [];
  return simplify(closed, tolerance).map(([lng, lat]) => [round(lng), round(lat)]);
}

function tolerance([lng, lat]: Ring[number]): number {
  const isNear = REGIONS.some(({ west, east, south, north }) => lng > west && lng < east && lat > south && lat < north);
  return isNear ? NEAR : FAR;
}

const spread = (values: readonly number[]) => Math.max(...values) - Math.min(...values);
const round = (degrees: number) => Math.round(degrees * 100) / 100;

await cutLand();
