import { MASTER, PADDING, SAFE_ZONE } from './icon.ts';

/** Result for one of Apple's guidelines: some are measured in the icon, others are left to the designer's judgement. */
export type GuidelineFinding =
  | { readonly guideline: 'simple' | 'focus'; readonly kind: 'judgement' }
  | { readonly guideline: Measured; readonly kind: 'measured'; readonly met: boolean; readonly figure: number };

type Measured = 'detail' | 'gradients' | 'padding' | 'contrast' | 'safeZone' | 'text' | 'flat' | 'palette';

/** Lowest contrast that WCAG 1.4.11 allows for graphics. */
const ENOUGH_CONTRAST = 3;
const SMALLEST = 29;

/** Apple's system colours, normal and with increased contrast. */
const SYSTEM_COLOURS = new Set(
  '#ff9500 #ffcc00 #ffd426 #007aff #0040dd #34c759 #248a3d #0c817b #af52de #8944ab #5856d6 #ffffff #000000 #1c1c1e'.split(
    ' ',
  ),
);

/** Measures the guidelines that can be checked in the SVG. */
export function findings(svg: string): readonly GuidelineFinding[] {
  const shapes = shapesIn(svg);
  const edge = (side: (shape: IconShape) => number) => Math.max(0, Math.min(MASTER, ...shapes.map(side))) / MASTER;
  const below = edge(({ bottom }) => MASTER - bottom);
  const inset = Math.min(
    edge(({ left }) => left),
    edge(({ top }) => top),
    edge(({ right }) => MASTER - right),
    below,
  );
  const thinnest = (Math.min(MASTER, ...shapes.map((shape) => shape.thinnest)) / MASTER) * SMALLEST;
  const contrast = lowestContrast(svg, shapes);
  const gradients = count(svg, /<(linear|radial)Gradient/g);
  const stops = count(svg, /<stop/g);
  const texts = count(svg, /<(text|tspan|textPath)\b/g);
  const effects = count(svg, /<(filter|image|mask|pattern|foreignObject)\b/g);
  const strange = new Set(svg.match(/#[\da-f]{6}\b/gi)?.filter((colour) => !SYSTEM_COLOURS.has(colour.toLowerCase())));
  return [
    { guideline: 'simple', kind: 'judgement' },
    { guideline: 'focus', kind: 'judgement' },
    measured('detail', thinnest, thinnest >= 1),
    measured('gradients', gradients, gradients <= 1 && stops <= 2),
    measured('padding', inset * 100, inset >= PADDING),
    measured('contrast', contrast, contrast >= ENOUGH_CONTRAST),
    measured('safeZone', below * 100, below >= SAFE_ZONE),
    measured('text', texts, texts === 0),
    measured('flat', effects, effects === 0),
    measured('palette', strange.size, strange.size === 0),
  ];
}

function measured(guideline: Measured, figure: number, met: boolean): GuidelineFinding {
  return { guideline, kind: 'measured', figure, met };
}

const count = (svg: string, pattern: RegExp) => svg.match(pattern)?.length ?? 0;

/** Edges of a shape, in units of the master icon. */
interface IconShape {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly thinnest: number;
  readonly ink: string;
}

/** Finds the shapes with an opaque colour. The background (a gradient) and the earth (translucent) are left out. */
function shapesIn(svg: string): readonly IconShape[] {
  return [...svg.matchAll(/<(circle|rect|path)((?: [\w-]+="[^"]*")*)\/>/g)].flatMap(([, kind, list]) => {
    const attributes = new Map([...list!.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value!]));
    const ink = attributes.get('fill');
    if (!ink?.startsWith('#') || attributes.has('fill-opacity')) return [];
    const read = (name: string) => Number(attributes.get(name) ?? 0);
    const drawn = attributes.get('d');
    if (kind === 'path') return drawn ? { ...outlineOf(drawn), ink } : [];
    const radius = read('r');
    const width = read('width') || 2 * radius;
    const height = read('height') || 2 * radius;
    const [left, top] = [read('x') + read('cx') - radius, read('y') + read('cy') - radius];
    return { left, top, right: left + width, bottom: top + height, thinnest: Math.min(width, height), ink };
  });
}

/**
 * Returns the bounding box of a path. The arcs of the path bulge only upwards, so its corners and the tops of its arcs
 * are its extremes.
 */
function outlineOf(path: string): Omit<IconShape, 'ink'> {
  let [x, y] = [0, 0];
  const corners: (readonly [number, number])[] = [];
  const peaks: (readonly [number, number])[] = [];
  for (const [, command, list] of path.matchAll(/([MLHVA])([^A-Z]*)/g)) {
    const numbers = (list!.match(/-?[\d.]+/g) ?? []).map(Number);
    const [toX, toY] = command === 'V' ? [x, numbers[0]!] : command === 'H' ? [numbers[0]!, y] : numbers.slice(-2);
    if (command === 'A') {
      const [dx, dy, radius] = [toX! - x, toY! - y, numbers[0]!];
      const chord = Math.hypot(dx, dy);
      const rise = ((radius - Math.sqrt(Math.max(0, radius ** 2 - chord ** 2 / 4))) / chord) * (numbers[4] ? 1 : -1);
      peaks.push([x + dx / 2 + dy * rise, y + dy / 2 - dx * rise]);
    }
    [x, y] = [toX!, toY!];
    corners.push([x, y]);
  }
  const all = [...corners, ...peaks];
  const [xs, ys] = [all.map(([at]) => at), all.map(([, at]) => at)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const heights = peaks.map(([, at]) => at).toSorted((a, b) => a - b);
  const thinnest = heights.length > 1 ? heights[1]! - heights[0]! : Math.min(right - left, bottom - top);
  return { left, right, top, bottom, thinnest };
}

/**
 * Returns the lowest contrast between a shape and the background. The background is measured at both ends of its
 * gradient, with and without the earth over it. Returns 1 if the icon has no shape.
 */
function lowestContrast(svg: string, shapes: readonly IconShape[]): number {
  const bare = [...svg.matchAll(/stop-color="(#[\da-f]{6})"/gi)].map(([, colour]) => channels(colour!));
  const veils = [...svg.matchAll(/fill="(#[\da-f]{6})" fill-opacity="([\d.]+)"/gi)];
  const veiled = veils.flatMap(([, colour, opacity]) =>
    bare.map((ground) => blend(ground, channels(colour!), Number(opacity))),
  );
  const found = [...bare, ...veiled].flatMap((ground) => shapes.map(({ ink }) => contrastOf(channels(ink), ground)));
  return found.length > 0 ? Math.min(...found) : 1;
}

function blend(ground: readonly number[], over: readonly number[], opacity: number): readonly number[] {
  return ground.map((channel, place) => channel + (over[place]! - channel) * opacity);
}

function contrastOf(one: readonly number[], other: readonly number[]): number {
  const [dark, light] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}

function luminance(colour: readonly number[]): number {
  const [red, green, blue] = colour.map((channel) => {
    const part = channel / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

const channels = (colour: string) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
