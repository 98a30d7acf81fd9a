/** Row of a packing list: a number of equal pieces and their size in centimetres. */
export interface Pieces {
  readonly count: number;
  readonly length: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Returns the kilos that an airline charges: the greater of gross weight and volume weight, rounded up to half a kilo.
 * `cubic`: number of cubic centimetres that count as one kilo.
 */
export function chargeableWeight({ count, length, width, height }: Pieces, grossKilos: number, cubic: number): number {
  const volume = (count * length * width * height) / cubic;
  // `1e-9` is subtracted because of rounding errors: 11.000000000000002 would otherwise become 11.5.
  return Math.max(0, Math.ceil(Math.max(volume, grossKilos) * 2 - 1e-9)) / 2;
}
