import { expect, test } from 'vitest';
import { chargeableWeight } from '../../src/lead/chargeable-weight.ts';
import { chanceFrom } from '../chance.ts';

const piece = (length: number, width: number, height: number, count = 1) => ({ count, length, width, height });

test.each([
  ['140 × 100 × 90 cm', piece(140, 100, 90), 0, 210],
  ['40 × 40 × 40 cm', piece(40, 40, 40), 0, 11],
  ['twelve boxes of 60 × 40 × 30', piece(60, 40, 30, 12), 0, 144],
  ['heavier than its volume', piece(100, 100, 100), 400.2, 400.5],
  ['nothing yet', piece(0, 0, 0), 0, 0],
])('the chargeable weight is right: %s', (_what, pieces, gross, kilos) => {
  expect(chargeableWeight(pieces, gross, 6000)).toBe(kilos);
});

test('chargeable weight is a multiple of half a kilo, never below the gross weight', () => {
  const chance = chanceFrom(7);
  for (let round = 0; round < 2000; round += 1) {
    const [length, width, height] = [1, 2, 3].map(() => Math.ceil(chance() * 300)) as [number, number, number];
    const gross = Math.round(chance() * 5000) / 10;
    const kilos = chargeableWeight(piece(length, width, height, 3), gross, 6000);
    expect(kilos).toBeGreaterThanOrEqual(gross);
    expect(Number.isInteger(kilos * 2)).toBe(true);
    expect(chargeableWeight(piece(length + 10, width, height, 3), gross, 6000)).toBeGreaterThanOrEqual(kilos);
    expect(kilos - Math.max((length * width * height * 3) / 6000, gross)).toBeLessThan(0.5 + 1e-6);
  }
});
