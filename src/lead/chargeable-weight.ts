/** One line of a packing list: so many equal pieces, in centimetres. */
export interface Pieces {
  readonly count: number;
  readonly length: number;
  readonly width: number;
  readonly height: number;
}

/** Air freight counts 6,000 cm³ as one kilo; couriers count 5,000. */
const AIR = 6000;

/** The weight that air freight charges: the greater of gross and volume weight, up to the next half kilo. */
export function chargeableWeight({ count, length, width, height }: Pieces, grossKilos: number): number {
  const volume = (count * length * width * height) / AIR;
  // A hair less, so that 11.000000000000002 stays 11.
  return Math.max(0, Math.ceil(Math.max(volume, grossKilos) * 2 - 1e-9)) / 2;
}
