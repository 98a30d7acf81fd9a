import { claims } from '../../src/content/claims.ts';
import { drawing, lettering, line, range, shape, type Composition } from './drawing.ts';

/**
 * Draws the cold chain: the weather varies, while the cargo's temperature stays between two limits from shed to door.
 */
export const coldChain = (): string => drawing(journey(320, 168, 13), journey(1180, 220, 20));

function journey(width: number, height: number, size: number): Composition {
  const at = (share: number) => Math.round(share * width);
  const [top, bottom] = [Math.round(height * 0.44), Math.round(height * 0.64)];
  const ground = height - size - 17;
  const [shed, departure, arrival, door] = [at(0.1), at(0.27), at(0.75), at(0.97)] as const;
  const left = Math.round(size * 2.6);
  const y = (share: number) => Math.round(height * share);
  const outside =
    `M${left} ${y(0.3)}Q${shed} ${y(0.08)} ${at(0.18)} ${y(0.16)}T${departure} ${y(0.06)}` +
    `C${at(0.36)} ${y(0.1)} ${at(0.32)} ${y(0.79)} ${at(0.42)} ${y(0.79)}H${at(0.6)}` +
    `C${at(0.7)} ${y(0.79)} ${at(0.66)} ${y(0.2)} ${arrival} ${y(0.14)}T${at(0.86)} ${y(0.24)}T${width} ${y(0.1)}`;
  const middle = (top + bottom) / 2;
  const steps = 60;
  const cargo = range(steps + 1)
    .map((step) => {
      const sway = Math.sin(step * 0.63) * Math.cos(step * 0.23) * (bottom - top) * 0.2;
      return `${step === 0 ? 'M' : 'L'}${Math.round(left + ((door - left) * step) / steps)} ${Math.round(middle + sway)}`;
    })
    .join('');
  const label = (words: string, x: number, colour = 'ink') =>
    lettering(words, x, height - 9, size, `fill="var(--${colour})" text-anchor="middle"`);
  return {
    width,
    height,
    content: [
      shape(`M${left} ${top}H${width}V${bottom}H${left}z`, 'arrived-ground'),
      line(`M${left} ${top}H${width}M${left} ${bottom}H${width}`, 'arrived'),
      lettering('8 °C', 0, top + size * 0.35, size, 'fill="var(--arrived)"'),
      lettering('2 °C', 0, bottom + size * 0.35, size, 'fill="var(--arrived)"'),
      line(`M${departure} ${y(0.03)}V${ground}M${arrival} ${y(0.03)}V${ground}`, 'edge', 'stroke-dasharray="2 4"'),
      line(outside, 'waits', 'stroke-width="2" stroke-dasharray="7 5"'),
      line(cargo, 'arrived', 'stroke-width="3.5" stroke-linecap="round"'),
      `<circle cx="${left}" cy="${middle}" r="5" fill="var(--arrived)"/><circle cx="${door}" cy="${middle}" r="7" fill="var(--raised)" stroke="var(--arrived)" stroke-width="3.5"/>`,
      line(`M${left} ${ground}H${width}`, 'ink'),
      line(`M${departure} ${ground}H${arrival}`, 'accent', 'stroke-width="4"'),
      ...[departure, arrival].map((x) => `<circle cx="${x}" cy="${ground}" r="4.5" fill="var(--accent)"/>`),
      label('TIJ', departure),
      label(`${claims.transitHours} h`, (departure + arrival) / 2, 'accent'),
      label('CGO', arrival),
    ].join(''),
  };
}
