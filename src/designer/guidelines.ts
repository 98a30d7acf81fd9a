import { EARTH_OPACITY, extent, MASTER, PADDING, SAFE_ZONE, schemes, THINNEST, type SchemeName } from './icon.ts';

/** Apple's guidelines: those that can be measured in the icon, and those that only an eye can judge. */
export type Finding =
  | { readonly guideline: 'simple' | 'focus'; readonly kind: 'judgement' }
  | { readonly guideline: Measured; readonly kind: 'measured'; readonly met: boolean; readonly figure: number };

type Measured = 'detail' | 'gradients' | 'padding' | 'contrast' | 'safeZone' | 'text' | 'flat' | 'palette';

/** WCAG 1.4.11 for graphics. */
const ENOUGH_CONTRAST = 3;
const SMALLEST = 29;

/** Apple's, plain and with increased contrast. */
const SYSTEM_COLOURS = new Set(
  '#ff9500 #ffcc00 #ffd426 #007aff #0040dd #34c759 #248a3d #0c817b #af52de #8944ab #5856d6 #ffffff #000000 #1c1c1e'.split(
    ' ',
  ),
);

export function findings(svg: string, scheme: SchemeName): readonly Finding[] {
  const { left, right, top, bottom } = extent;
  const inset = Math.min(left, top, MASTER - right, MASTER - bottom) / MASTER;
  const below = (MASTER - bottom) / MASTER;
  const thinnest = (THINNEST / MASTER) * SMALLEST;
  const contrast = lowestContrast(scheme);
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

function measured(guideline: Measured, figure: number, met: boolean): Finding {
  return { guideline, kind: 'measured', figure, met };
}

const count = (svg: string, pattern: RegExp) => svg.match(pattern)?.length ?? 0;

/** Of the mark and its goal on both ends of the gradient, bare and behind the earth. */
function lowestContrast(name: SchemeName): number {
  const { from, to, mark, goal, earth } = schemes[name];
  const grounds = [from, to].flatMap((ground) => [channels(ground), blend(channels(ground), channels(earth))]);
  return Math.min(...grounds.flatMap((ground) => [mark, goal].map((ink) => contrastOf(channels(ink), ground))));
}

function blend(ground: readonly number[], over: readonly number[]): readonly number[] {
  return ground.map((channel, place) => channel + (over[place]! - channel) * EARTH_OPACITY);
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
