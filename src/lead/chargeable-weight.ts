/** Line of a packing list: a number of equal pieces, measured in centimetres. */
export interface Pieces {
  readonly count: number;
  readonly length: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Weight in kilos that an airline charges: the greater of gross weight and volume weight, rounded up to half a kilo.
 * `cubic`: cubic centimetres that count as one kilo.
 */
export function chargeableWeight({ count, length, width, height }: Pieces, grossKilos: number, cubic: number): number {
  const volume = (count * length * width * height) / cubic;
  // A rounding error such as 11.000000000000002 is subtracted, or it would be rounded up to 11.5.
  return Math.max(0, Math.ceil(Math.max(volume, grossKilos) * 2 - 1e-9)) / 2;
}
