import type { Table, Weight } from './results.ts';

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

/** A group of bars for each measure, from nought, ours in colour. */
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

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Divides a box among these, the larger half first, across its longer side each time. */
function divide<One extends { readonly bytes: number }>(ones: readonly One[], box: Box): [One, Box][] {
  const [first] = ones;
  if (!first) return [];
  if (ones.length === 1) return [[first, box]];
  const whole = sum(ones);
  let count = 1;
  while (count < ones.length - 1 && sum(ones.slice(0, count)) < whole / 2) count += 1;
  const share = sum(ones.slice(0, count)) / whole;
  const { x, y, width, height } = box;
  const halves: [Box, Box] =
    width > height
      ? [
          { ...box, width: width * share },
          { ...box, x: x + width * share, width: width * (1 - share) },
        ]
      : [
          { ...box, height: height * share },
          { ...box, y: y + height * share, height: height * (1 - share) },
        ];
  return [...divide(ones.slice(0, count), halves[0]), ...divide(ones.slice(count), halves[1])];
}

const sum = (ones: readonly { readonly bytes: number }[]) => ones.reduce((total, { bytes }) => total + bytes, 0);

const MAP: Box = { x: 0, y: 0, width: 1200, height: 800 };
const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;

/** A page on which the room of each file is its share of the bytes, in the room of its budget. */
export function treemap(weights: readonly Weight[]): string {
  const budgets = [...Map.groupBy(weights, ({ budget }) => budget)]
    .map(([budget, files]) => ({
      budget,
      files: files.toSorted((one, other) => other.bytes - one.bytes),
      bytes: sum(files),
    }))
    .toSorted((one, other) => other.bytes - one.bytes);
  const boxes = divide(budgets, MAP).flatMap(([{ budget, files, bytes }, box], at) => {
    const hue = Math.round((at * 360) / budgets.length);
    return divide(files, box).map(([file, { x, y, width, height }]) => {
      const about = escaped(`${file.file}, ${kilobytes(file.bytes)}; budget: ${budget}, of it ${kilobytes(bytes)}`);
      const place = `x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${width.toFixed(1)}" height="${height.toFixed(1)}"`;
      const words = `<svg ${place}><text x="4" y="16" ${FONT}>${escaped(file.file)}</text><text x="4" y="32" ${FONT}>${kilobytes(file.bytes)}</text></svg>`;
      return `<g><title>${about}</title><rect ${place} fill="hsl(${hue} 45% 78%)" stroke="${GROUND}"/>${words}</g>`;
    });
  });
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Every file by its bytes, as it travels</title>
<h1>Every file by its bytes, as it travels: ${kilobytes(sum(weights))}</h1>
<p>One colour is one budget; pointing at a file says which.</p>
<svg viewBox="0 0 ${MAP.width} ${MAP.height}" width="100%">
${boxes.join('\n')}
</svg>
</html>
`;
}
