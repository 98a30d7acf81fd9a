import type { Table } from './results.ts';

const INK = '#12203c';
const QUIET = '#857d6c';
const OURS = '#c3311a';
const GROUND = '#f6f1e6';
const FONT = `font-family="system-ui, sans-serif" font-size="13" fill="${INK}"`;

const WIDTH = 720;
const NAMES = 250;
const FIGURE = 90;
const ROW = 22;

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Draws a bar chart in SVG, with a group of bars for each measure. The bars start at zero, and ours are coloured. */
export function bars(title: string, figures: Table['figures'], measures: readonly string[]): string {
  const names = Object.keys(figures);
  const parts: string[] = [];
  let y = 28;
  const text = (x: number, words: string, more = '') =>
    parts.push(`<text x="${x}" y="${y}" ${FONT}${more}>${escaped(words)}</text>`);
  for (const measure of measures) {
    text(12, measure, ' font-weight="600"');
    y += ROW;
    const numbers = names.map((name) => figures[name]![measure]).filter((cell) => typeof cell === 'number');
    const most = Math.max(...numbers, Number.MIN_VALUE);
    for (const [at, name] of names.entries()) {
      const cell = figures[name]![measure] ?? 'not measured';
      text(12, name);
      const length = typeof cell === 'number' ? (cell / most) * (WIDTH - NAMES - FIGURE) : 0;
      const fill = at === 0 ? OURS : QUIET;
      parts.push(`<rect x="${NAMES}" y="${y - 12}" width="${length.toFixed(1)}" height="15" fill="${fill}"/>`);
      text(NAMES + 6 + Math.round(length), typeof cell === 'number' ? cell.toLocaleString('en') : cell);
      y += ROW;
    }
    y += 10;
  }
  const size = `viewBox="0 0 ${WIDTH} ${y}" width="${WIDTH}" height="${y}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img"><title>${escaped(title)}</title>
<rect width="${WIDTH}" height="${y}" fill="${GROUND}"/>
${parts.join('\n')}
</svg>
`;
}
