import type { Position } from '../../src/network/great-circle.ts';
import { cut, simplify, type Ring } from '../../src/network/outline.ts';
import { network } from '../../src/content/network.ts';
import { points, type Mode, type NetworkPoint } from '../../src/content/points.ts';
import { labelSide } from '../../src/network/label-side.ts';
import { flights, lines, routes } from '../../src/network/routes.ts';
import { arrivalsAt, opening, placeInStill } from '../../src/network/view.ts';
import { colours, lettering } from './drawing.ts';

/** Bounds in degrees of the land that is drawn, larger than the widest frame of the picture. */
const BOX = { west: 58, east: 168, south: 3, north: 57 };
/**
 * Pixels by which the simplified coast may differ from the real one: more far from the routes, most behind the legend.
 */
const coarse = ([x, y]: Pixel) => (x < -150 ? 9 : 3 + Math.hypot(x, y) / 80);
/** Narrowest piece of land that is drawn, in pixels. */
const SPECK = 32;
/** Pixels in a unit of the coast's coordinates. Large units make short numbers, and so a small file. */
const UNIT = 3;

/** Step between the drawn points of a flight's path: every second point. */
const STRIDE = 2;
const INKS = ['raised', 'rule', 'edge', 'accent', 'ink', 'arrived', 'waits', 'quiet'];

export function stillPicture(rings: readonly Ring[]): string {
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="720" viewBox="-600 -360 1200 720" fill="none">',
    `<style>svg{${colours('light', INKS)}}@media(prefers-color-scheme:dark){svg{${colours('dark', INKS)}}}</style>`,
    `<path fill="var(--raised)" stroke="var(--rule)" d="${graticule()}"/>`,
    `<path fill="var(--raised)" stroke="var(--edge)" transform="scale(${UNIT})" vector-effect="non-scaling-stroke" d="${coast(rings)}"/>`,
    `<path stroke="${lines['air-perishable'].colour}" d="${flights.map(arrival).join('')}"/>`,
    ...(Object.keys(lines) as Mode[]).map(lanes),
    lettering(network.arrivals, ...pixels(arrivalsAt), 14, 'fill="var(--quiet)" text-anchor="end"'),
    ...points.filter(({ type }) => type !== 'origin').map(mark),
    '</svg>\n',
  ].join('');
}

/** Draws the mark and code of a point as the map's component PointMark does. */
function mark(point: NetworkPoint): string {
  const [x, y] = pixels(point);
  const isHub = point.type === 'hub';
  const isWest = labelSide(point) === 'west';
  const [ground, edge] = isHub ? ['accent', 'raised'] : ['raised', 'ink'];
  const halo = 'fill="var(--ink)" stroke="var(--raised)" stroke-width="4" paint-order="stroke"';
  return [
    `<circle cx="${x}" cy="${y}" r="${isHub ? 9 : 5}" fill="var(--${ground})" stroke="var(--${edge})" stroke-width="2"/>`,
    lettering(point.code, isWest ? x - 13 : x + 11, y + 6, 18, isWest ? `${halo} text-anchor="end"` : halo),
  ].join('');
}

function lanes(mode: Mode): string {
  const { colour, weight, dash } = lines[mode];
  const ways = routes.filter((route) => route.mode === mode).map(({ path }) => bow(path));
  const dashed = dash ? ` stroke-dasharray="${dash}"` : '';
  return `<path stroke="${colour}" stroke-width="${weight}"${dashed} d="${ways.join('')}"/>`;
}

function arrival(path: readonly Position[]): string {
  const inSight = path.filter(({ lng }) => lng < BOX.east).toReversed();
  return trace(inSight.filter((_, step) => step % STRIDE === 0).map(pixels));
}

/** Draws the path of a route as a single quadratic curve, which is exact because the path is a parabola. */
function bow(path: readonly Position[]): string {
  const [from, middle, to] = [path[0]!, path[path.length >> 1]!, path.at(-1)!].map(pixels) as [Pixel, Pixel, Pixel];
  const bend = [0, 1].map((axis) => Math.round(2 * middle[axis]! - (from[axis]! + to[axis]!) / 2 - from[axis]!));
  return `M${from.join(' ')}q${bend.join(' ')} ${to.map((value, axis) => value - from[axis]!).join(' ')}`;
}

function coast(rings: readonly Ring[]): string {
  return rings
    .map((ring) => cut(ring, BOX).map(([lng, lat]) => pixels({ lng, lat })))
    .filter((ring) => ring.length > 3 && [0, 1].some((axis) => spread(ring.map((point) => point[axis]!)) > SPECK))
    .map((ring) => `${trace(simplify(ring, coarse).slice(0, -1).map(inUnits))}z`)
    .join('');
}

/** Draws the grid lines in relative coordinates: repeated text compresses to almost nothing. */
function graticule(): string {
  const [west] = pixels({ lat: opening.lat, lng: 60 });
  const lats = [10, 20, 30, 40, 50].map((lat) => `M-600 ${pixels({ lat, lng: opening.lng })[1]}h1200`);
  return `M${west}-360v720${'m113.8-720v720'.repeat(10)}${lats.join('')}`;
}

type Pixel = readonly [x: number, y: number];

function pixels(place: Position): Pixel {
  const { x, y } = placeInStill(place);
  return [Math.round(x), Math.round(y)];
}

const inUnits = ([x, y]: Pixel): Pixel => [Math.round(x / UNIT), Math.round(y / UNIT)];

/** Draws a path with each point relative to the previous one, because small numbers compress well. */
function trace(way: Ring): string {
  return way
    .map(([x, y], step) => {
      const [left, up] = way[step - 1] ?? [0, 0];
      return `${step === 0 ? 'M' : 'l'}${x - left} ${y - up}`;
    })
    .join('')
    .replaceAll(' -', '-');
}

const spread = (values: readonly number[]) => Math.max(...values) - Math.min(...values);
