import type { Place } from './great-circle.ts';
import { cut, simplify, type Ring } from './outline.ts';
import { opening, placeInStill } from './view.ts';

/** More than the widest frame of the still picture shows. */
export const BOX = { west: 58, east: 168, south: 3, north: 57 };
/** In pixels: how far the coast may be off, coarser far from the routes and most of all behind the legend's side. */
const coarse = ([x, y]: Pixel) => (x < -150 ? 9 : 3 + Math.hypot(x, y) / 80);
/** What is too small to draw. */
const SPECK = 32;
/** The coast is counted in so many pixels: shorter numbers. */
const UNIT = 3;

/** As in tokens.css, of which a picture of its own sees nothing. */
const LIGHT = 'svg{fill:#fffdf7;stroke:#d5ccb9}.coast{stroke:#857d6c}';
const DARK = 'svg{fill:#111c32;stroke:#2b3752}.coast{stroke:#7c879e}';

/** What lies beneath the still picture of the network (build/land.ts writes it to a file). */
export function landPicture(rings: readonly Ring[]): string {
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="720" viewBox="-600 -360 1200 720">',
    `<style>${LIGHT}@media (prefers-color-scheme:dark){${DARK}}</style>`,
    `<path d="${graticule()}"/>`,
    `<path class="coast" transform="scale(${UNIT})" vector-effect="non-scaling-stroke" d="${coast(rings)}"/>`,
    '</svg>\n',
  ].join('');
}

function coast(rings: readonly Ring[]): string {
  return rings
    .map((ring) => cut(ring, BOX).map(([lng, lat]) => pixels({ lng, lat })))
    .filter((ring) => ring.length > 3 && [0, 1].some((axis) => spread(ring.map((point) => point[axis]!)) > SPECK))
    .map((ring) => `${trace(simplify(ring, coarse).slice(0, -1).map(inUnits))}z`)
    .join('');
}

/** Each line from the one before: what is said again weighs nothing. */
function graticule(): string {
  const [west] = pixels({ lat: opening.lat, lng: 60 });
  const lats = [10, 20, 30, 40, 50].map((lat) => `M-600 ${pixels({ lat, lng: opening.lng })[1]}h1200`);
  return `M${west}-360v720${'m113.8-720v720'.repeat(10)}${lats.join('')}`;
}

export type Pixel = readonly [x: number, y: number];

export function pixels(place: Place): Pixel {
  const { x, y } = placeInStill(place);
  return [Math.round(x), Math.round(y)];
}

const inUnits = ([x, y]: Pixel): Pixel => [Math.round(x / UNIT), Math.round(y / UNIT)];

/** Each point from the one before: small numbers weigh little. */
export function trace(way: Ring): string {
  return way
    .map(([x, y], step) => {
      const [left, up] = way[step - 1] ?? [0, 0];
      return `${step === 0 ? 'M' : 'l'}${x - left} ${y - up}`;
    })
    .join('')
    .replaceAll(' -', '-');
}

const spread = (values: readonly number[]) => Math.max(...values) - Math.min(...values);
