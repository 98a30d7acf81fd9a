import { claims } from '../../src/content/claims.ts';
import { drawing, lettering, line, PLANE, range, shape } from './drawing.ts';

const WEEK = 7;
const DAY = 50;

export function calendar(): string {
  const weeks = claims.seaDays / WEEK;
  const [width, height] = [WEEK * DAY + 2, weeks * DAY + 2];
  const place = (day: number) => [1 + ((day - 1) % WEEK) * DAY, 1 + Math.floor((day - 1) / WEEK) * DAY] as const;
  const squares = range(claims.seaDays).map((day) => {
    const [x, y] = place(day + 1);
    return `M${x} ${y}h${DAY}v${DAY}h-${DAY}z`;
  });
  const flown = Math.round((claims.transitHours / 24) * DAY * 10) / 10;
  const [fastestX, fastestY] = place(claims.fastestSeaDays);
  const sailed = range(weeks).map(
    (week) => `M${week === 0 ? 4 : 1} ${week * DAY + 37}h${week === weeks - 1 ? width - 40 : width - 2}`,
  );
  return drawing({
    width,
    height,
    content: [
      shape(squares.join(''), 'waits-ground', 'stroke="var(--waits)"'),
      line(sailed.join(''), 'waits', 'stroke-width="2" stroke-dasharray="3 5"'),
      line(`M${fastestX + 1.5} ${fastestY + 1.5}h${DAY - 3}v${DAY - 3}h-${DAY - 3}z`, 'waits', 'stroke-width="3"'),
      shape(`M1 1h${flown}v${DAY}h-${flown}z`, 'accent'),
      ...range(claims.seaDays).map((day) => {
        const [x, y] = place(day + 1);
        return lettering(`${day + 1}`, x + 5, y + 16, 14, `fill="var(--${day === 0 ? 'on-accent' : 'waits'})"`);
      }),
      `<g transform="translate(18 33) scale(.3)">${shape(PLANE, 'on-accent')}</g>`,
      `<g transform="translate(${width - 43} ${height - 10})">${shape('M0-8h34l-5 10H6zM6-10v-7h6v7zm7 0v-7h6v7zm7 0v-10h6v10z', 'waits')}</g>`,
    ].join(''),
  });
}
