import { claims } from '../../src/content/claims.ts';
import { colours, line, range, shape } from './drawing.ts';

const [WIDTH, HEIGHT] = [320, 56];
const BETWEEN = 8;

/**
 * Draws a strip to scale for each benefit, on a dark background. All strips are in one file; `#name` in its address
 * shows one.
 */
export function benefits(): string {
  const strips = Object.entries({ fines, spoilage, departures, answer, documents, hours });
  const top = (index: number) => index * (HEIGHT + BETWEEN);
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" fill="none">',
    `<style>svg{${colours('dark')}}</style>`,
    ...strips.map(
      ([name, draw], index) =>
        `<view id="${name}" viewBox="0 ${top(index)} ${WIDTH} ${HEIGHT}"/><g transform="translate(0 ${top(index)})">${draw()}</g>`,
    ),
    '</svg>\n',
  ].join('');
}

const boxes = (from: number, to: number, pitch: number, gap: number, y: number, height: number): string =>
  range(to - from)
    .map(
      (index) =>
        `M${round((from + index) * pitch)} ${round(y)}h${round(pitch - gap)}v${round(height)}h-${round(pitch - gap)}z`,
    )
    .join('');

function fines(): string {
  const days = 5;
  const pitch = WIDTH / days;
  const step = HEIGHT / days;
  const owed = range(days).map((day) =>
    range(day + 1)
      .map(
        (block) =>
          `M${day * pitch} ${round(HEIGHT - (block + 1) * step + 2)}h${pitch - 8}v${round(step - 2)}h-${pitch - 8}z`,
      )
      .join(''),
  );
  return shape(owed.join(''), 'waits') + line(`M0 55.5H${WIDTH}`, 'edge');
}

/** Draws the share of the cargo that spoils, as one box of a grid. */
function spoilage(): string {
  const all = Math.round(100 / parseFloat(claims.spoilage));
  const columns = all / 5;
  const pitch = WIDTH / columns;
  const rows = range(5).map((row) => boxes(0, columns, pitch, 3, 0.5 + row * 11.2, 8.5));
  const lost = boxes(columns - 7, columns - 6, pitch, 3, 0.5 + 2 * 11.2, 8.5);
  return line(rows.join(''), 'edge') + shape(lost, 'accent', 'stroke="var(--accent)"');
}

function departures(): string {
  const onTime = parseFloat(claims.onTime);
  const pitch = WIDTH / 100;
  return shape(boxes(0, onTime, pitch, 1.4, 8, 48), 'arrived') + shape(boxes(onTime, 100, pitch, 1.4, 32, 24), 'waits');
}

function answer(): string {
  const pitch = WIDTH / 24;
  return (
    line(boxes(claims.responseHours, 24, pitch, 3, 16.5, 39), 'edge') +
    shape(boxes(0, claims.responseHours, pitch, 3, 16, 40), 'accent')
  );
}

function documents(): string {
  const sheets = range(4).map(
    (sheet) => `M${sheet * 58 + 1} 1h30l12 12v42h-42zm30 0v12h12M${sheet * 58 + 8} 20h18m-18 8h14`,
  );
  const checked = range(4).map((sheet) => `M${sheet * 58 + 20} 40l6 7 16-18`);
  return line(sheets.join(''), 'edge', 'stroke-width="1.5"') + line(checked.join(''), 'arrived', 'stroke-width="4"');
}

function hours(): string {
  const pitch = WIDTH / 24;
  return shape(
    range(7)
      .map((day) => boxes(0, 24, pitch, 3, day * 8, 6))
      .join(''),
    'arrived',
  );
}

const round = (value: number) => Math.round(value * 10) / 10;
