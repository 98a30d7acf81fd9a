/** A line of a packing list: equal pieces, in centimetres. */
export interface Pieces {
  readonly count: number;
  readonly length: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Chargeable weight: the greater of gross and volume weight, rounded up to half a kilo. `cubic`: cubic centimetres per
 * kilo.
 */
export function chargeableWeight({ count, length, width, height }: Pieces, grossKilos: number, cubic: number): number {
  const volume = (count * length * width * height) / cubic;
  // The subtraction keeps 11.000000000000002 at 11.
  return Math.max(0, Math.ceil(Math.max(volume, grossKilos) * 2 - 1e-9)) / 2;
}
