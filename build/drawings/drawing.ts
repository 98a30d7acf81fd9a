import { readFileSync } from 'node:fs';

const TOKENS = readFileSync('src/styles/tokens.css', 'utf8');
const INKS = [
  'raised',
  'ink',
  'quiet',
  'rule',
  'edge',
  'accent',
  'on-accent',
  'arrived',
  'arrived-ground',
  'waits',
  'waits-ground',
];

/** Returns the colours of tokens.css as declarations, because an SVG image does not see that sheet. */
export const colours = (scheme: 'light' | 'dark', inks = INKS): string =>
  inks
    .map((name) => {
      const found = [...TOKENS.matchAll(new RegExp(`--${name}: #\\w+;`, 'g'))];
      return found[scheme === 'light' ? 0 : 1]![0].replace(' ', '');
    })
    .join('');

export interface Composition {
  readonly width: number;
  readonly height: number;
  readonly content: string;
}

/**
 * Width of a drawing, in pixels, above which its wide composition is used. In a window of 48rem (768 pixels) a drawing
 * has this width.
 */
const WIDE = 727;

/**
 * Returns a drawing in one file for all widths and both colour schemes. Media queries inside an image refer to the
 * width of the image.
 */
export function drawing(narrow: Composition, wide?: Composition): string {
  const svg = ({ width, height, content }: Composition, name: string) =>
    `<svg class="${name}" viewBox="0 0 ${width} ${height}">${content}</svg>`;
  const chosen = wide
    ? `@media(max-width:${WIDE}px){.w{display:none}}@media(min-width:${WIDE + 0.01}px){.n{display:none}}`
    : '';
  return [
    // The root element has no width and height: with them, the browser would scale the image, and media queries would
    // not refer to the size in which it is shown.
    '<svg xmlns="http://www.w3.org/2000/svg" fill="none" stroke-linejoin="round">',
    `<style>svg{${colours('light')}}@media(prefers-color-scheme:dark){svg{${colours('dark')}}}${chosen}</style>`,
    svg(narrow, 'n'),
    wide ? svg(wide, 'w') : '',
    '</svg>\n',
  ].join('');
}

/**
 * Width of a letter relative to the font size. Images can use only the system's fonts, so texts are stretched to this
 * width.
 */
const LETTER = 0.44;

export function lettering(words: string, x: number, y: number, size: number, more = ''): string {
  const length = Math.round(words.length * size * LETTER);
  return `<text x="${x}" y="${y}" textLength="${length}" lengthAdjust="spacingAndGlyphs" font-family="sans-serif" font-weight="600" font-size="${size}" ${more}>${words}</text>`;
}

export const line = (d: string, colour: string, more = ''): string =>
  `<path d="${d}" stroke="var(--${colour})" ${more}/>`;
export const shape = (d: string, colour: string, more = ''): string =>
  `<path d="${d}" fill="var(--${colour})" ${more}/>`;

export const PLANE =
  'M-44 2C-44-5-36-7-30-7H24C36-7 46-2 46 2S36 9 26 9H-32C-38 9-44 7-44 2zM-42-2l-10-20h10l16 16zM-4 4L-28 30h12L18 6z';

export const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
