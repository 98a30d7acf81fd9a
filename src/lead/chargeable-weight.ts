/** One line of a packing list: so many equal pieces, in centimetres. */
export interface Pieces {
  readonly count: number;
  readonly length: number;
  readonly width: number;
  readonly height: number;
}

/** Weight that is charged: the greater of gross and volume weight, up to the next half kilo. `cubic`: of the kind of quote. */
export function chargeableWeight({ count, length, width, height }: Pieces, grossKilos: number, cubic: number): number {
  const volume = (count * length * width * height) / cubic;
  // A hair less, so that 11.000000000000002 stays 11.
  return Math.max(0, Math.ceil(Math.max(volume, grossKilos) * 2 - 1e-9)) / 2;
}
