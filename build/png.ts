import { decode, encode, type ImageData } from 'fast-png';

/** Squared distance between two RGB colours (0 to 255 each) below which both get the same colour of the palette. */
const SAME = 48;

/** Makes a browser's PNG a sixth smaller, without loss. */
export function smallPng(file: Uint8Array): Buffer {
  return write(decode(file));
}

/**
 * Reduces a picture without gradients to its 256 most frequent colours. More colours occur only at the smooth edges of
 * shapes.
 */
export function flatPng(file: Uint8Array): Buffer {
  const { width, height, data, channels } = decode(file);
  const colours = Uint32Array.from({ length: width * height }, (_, pixel) => {
    const at = pixel * channels;
    return (data[at]! << 16) | (data[at + 1]! << 8) | data[at + 2]!;
  });
  const frequency = new Map<number, number>();
  for (const colour of colours) frequency.set(colour, (frequency.get(colour) ?? 0) + 1);
  const palette: number[] = [];
  for (const [colour] of [...frequency].toSorted(([, one], [, other]) => other - one)) {
    if (palette.length < 256 && palette.every((other) => distance(other, colour) > SAME)) palette.push(colour);
  }
  const nearest = new Map<number, number>();
  for (const colour of frequency.keys()) {
    const distances = palette.map((other) => distance(other, colour));
    nearest.set(colour, distances.indexOf(Math.min(...distances)));
  }
  const indexes = Uint8Array.from(colours, (colour) => nearest.get(colour)!);
  return write({ width, height, data: indexes, channels: 1, palette: palette.map(channelsOf) });
}

function write(picture: ImageData): Buffer {
  return Buffer.from(encode(picture, { zlib: { level: 9 } }));
}

function distance(one: number, other: number): number {
  const there = channelsOf(other);
  return channelsOf(one).reduce((sum, channel, at) => sum + (channel - there[at]!) ** 2, 0);
}

function channelsOf(colour: number): number[] {
  return [colour >> 16, (colour >> 8) & 0xff, colour & 0xff];
}
