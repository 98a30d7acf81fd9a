import { claims } from '../../src/content/claims.ts';
import { drawing, lettering, line, PLANE, shape, type Composition } from './drawing.ts';

export const route = (): string =>
  drawing(way(320, 112, [0, 86, 192, 242], 0.4), way(1180, 210, [0, 253, 632, 886], 1));

function way(
  width: number,
  height: number,
  starts: readonly [number, number, number, number],
  scale: number,
): Composition {
  const ground = height - 14;
  const [, flight, customs, road] = starts;
  const put = (x: number, content: string) =>
    `<g transform="translate(${Math.round(x)} ${ground}) scale(${scale})">${content}</g>`;
  const middle = (flight + customs) / 2;
  const apex = Math.round(ground - (ground - 12) * 0.92);
  const arc = `M${flight} ${ground}C${flight + (customs - flight) * 0.3} ${2 * apex - ground + (ground - apex) * 0.66} ${customs - (customs - flight) * 0.3} ${2 * apex - ground + (ground - apex) * 0.66} ${customs} ${ground}`;
  return {
    width,
    height,
    content: [
      line(`M0 ${ground}H${flight}M${customs} ${ground}H${width - 8}`, 'ink', 'stroke-width="2"'),
      line(`M${flight} ${ground}H${customs}`, 'edge', 'stroke-dasharray="2 5"'),
      ...[flight, customs, road].map((x) =>
        line(`M${x} ${ground - 8}V0`, 'edge', 'stroke-dasharray="5 5" stroke-width="1.5"'),
      ),
      line(arc, 'accent', 'stroke-width="3"'),
      put(2 * scale, SHED),
      put(flight - 106 * scale, TRUCK),
      `<g transform="translate(${middle} ${Math.round(ground - (ground - apex) * 0.88)}) scale(${scale * 1.1})">${shape(PLANE, 'accent', 'stroke="var(--raised)" stroke-width="2"')}</g>`,
      lettering(
        `${claims.transitHours} h`,
        middle,
        ground - 14 * scale,
        Math.round(10 + 24 * scale),
        'fill="var(--accent)" text-anchor="middle"',
      ),
      put((customs + road) / 2 - 55 * scale, CUSTOMS),
      put(road + 12 * scale, TRUCK),
      put(width - 14 - 84 * scale, DOOR),
      ...[flight, customs, road].map(
        (x) =>
          `<circle cx="${x}" cy="${ground}" r="${Math.round(4 + 3 * scale)}" fill="var(--raised)" stroke="var(--accent)" stroke-width="2.5"/>`,
      ),
      `<circle cx="${width - 10}" cy="${ground}" r="${Math.round(4 + 4 * scale)}" fill="var(--arrived)"/>`,
    ].join(''),
  };
}

// Buildings with their ground at y = 0, in the size of the wide drawing.
const SHED =
  shape('M2 0v-58l50-28 50 28V0z', 'raised', 'stroke="var(--ink)" stroke-width="2.5"') +
  line('M28 0v-36h48V0M28-24h48M28-12h48', 'ink', 'stroke-width="2"');
const TRUCK =
  shape('M0-12v-50h66v50z', 'arrived-ground', 'stroke="var(--ink)" stroke-width="2.5"') +
  shape('M66-12v-36h18l14 16v20z', 'raised', 'stroke="var(--ink)" stroke-width="2.5"') +
  '<circle cx="20" cy="-9" r="9" fill="var(--ink)"/><circle cx="80" cy="-9" r="9" fill="var(--ink)"/>';
const CUSTOMS =
  shape('M0 0v-64h110V0z', 'raised', 'stroke="var(--ink)" stroke-width="2.5"') +
  line('M-8-64h126M12 0v-34h30V0M68 0v-34h30V0', 'ink', 'stroke-width="2.5"') +
  `<g transform="rotate(-9 55 -66)">${shape('M5-100h100v54H5z', 'raised', 'stroke="var(--arrived)" stroke-width="5"')}${lettering('CGO', 55, -58, 42, 'fill="var(--arrived)" text-anchor="middle"')}</g>`;
const DOOR =
  shape('M0 0v-104h84V0z', 'raised', 'stroke="var(--ink)" stroke-width="2.5"') +
  shape('M28 0v-42h28V0z', 'arrived-ground', 'stroke="var(--ink)" stroke-width="2"') +
  line('M16-88h16m20 0h16M16-72h16m20 0h16M16-56h16m20 0h16', 'ink', 'stroke-width="3"');
