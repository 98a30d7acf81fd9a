import { decode, encode, type ImageData } from 'fast-png';

/** Squared: so near to a colour that has its place, another needs none. */
const SAME = 48;

/** Browsers write in haste: the same pixels fit into five sixths of their bytes. */
export function smallPng(file: Uint8Array): Buffer {
  return write(decode(file));
}

/** With 256 colours at most, the most frequent as they are: for pictures of flat things, whose edges alone have more. */
export function flatPng(file: Uint8Array): Buffer {
  const { width, height, data, channels } = decode(file);
  const colours = Uint32Array.from({ length: width * height }, (_, pixel) => {
    const at = pixel * channels;
    return (data[at]! << 16) | (data[at + 1]! << 8) | data[at + 2]!;
  });
  const frequency = new Map<number, number>();
  for (const colour of colours) frequency.set(colour, (frequency.get(colour) ?? 0) + 1);
  const kept: number[] = [];
  for (const [colour] of [...frequency].toSorted(([, one], [, other]) => other - one)) {
    if (kept.length < 256 && kept.every((other) => distance(other, colour) > SAME)) kept.push(colour);
  }
  const nearest = new Map<number, number>();
  for (const colour of frequency.keys()) {
    const distances = kept.map((other) => distance(other, colour));
    nearest.set(colour, distances.indexOf(Math.min(...distances)));
  }
  const indexes = Uint8Array.from(colours, (colour) => nearest.get(colour)!);
  return write({ width, height, data: indexes, channels: 1, palette: kept.map(channelsOf) });
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
