import { crc32, deflateSync, inflateSync } from 'node:zlib';

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and alpha of each pixel, row by row. */
  readonly pixels: Uint8Array;
}

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1A\n', 'latin1');
const TRUE_COLOUR = 2;
const INDEXED = 3;
const WITH_ALPHA = 6;
/** Squared: so near to a colour that has its place, another needs none. */
const SAME = 48;
const FILTERS = [0, 1, 2, 3, 4] as const;

/** Of eight bits a channel and not interlaced, as browsers and `encodePng` write it. */
export function decodePng(file: Uint8Array): Picture {
  const buffer = Buffer.from(file);
  const [width, height, colour] = [buffer.readUInt32BE(16), buffer.readUInt32BE(20), buffer[25]!];
  if (buffer[24] !== 8 || buffer[28] !== 0 || (colour !== TRUE_COLOUR && colour !== WITH_ALPHA)) {
    throw new Error('This kind of PNG is not read here.');
  }
  const parts: Buffer[] = [];
  for (let at = SIGNATURE.length; at < buffer.length; at += buffer.readUInt32BE(at) + 12) {
    const start = at + 8;
    if (buffer.toString('latin1', at + 4, start) === 'IDAT') {
      parts.push(buffer.subarray(start, start + buffer.readUInt32BE(at)));
    }
  }
  const channels = colour === WITH_ALPHA ? 4 : 3;
  const rows = unfilter(inflateSync(Buffer.concat(parts)), width * channels, height, channels);
  if (channels === 4) return { width, height, pixels: rows };
  const pixels = new Uint8Array(width * height * 4).fill(255);
  for (let pixel = 0; pixel < width * height; pixel += 1)
    pixels.set(rows.subarray(pixel * 3, pixel * 3 + 3), pixel * 4);
  return { width, height, pixels };
}

/** Browsers write in haste: the same pixels fit into a third of their bytes. */
export function encodePng({ width, height, pixels }: Picture): Buffer {
  const isOpaque = pixels.every((value, at) => at % 4 !== 3 || value === 255);
  const channels = isOpaque ? 3 : 4;
  const data = isOpaque ? pixels.filter((_, at) => at % 4 !== 3) : pixels;
  const candidates = ([...FILTERS, 'best'] as const).map((filter) =>
    deflateSync(filtered(data, width * channels, height, channels, filter), { level: 9 }),
  );
  const [smallest] = candidates.toSorted((one, other) => one.length - other.length);
  return assemble(width, height, isOpaque ? TRUE_COLOUR : WITH_ALPHA, [chunk('IDAT', smallest!)]);
}

/** With 256 colours at most, the most frequent as they are: for pictures of flat things, whose edges alone have more. */
export function encodeFlatPng({ width, height, pixels }: Picture): Buffer {
  const colours = new Uint32Array(width * height);
  for (let pixel = 0; pixel < colours.length; pixel += 1) {
    colours[pixel] = (pixels[pixel * 4]! << 16) | (pixels[pixel * 4 + 1]! << 8) | pixels[pixel * 4 + 2]!;
  }
  const frequency = new Map<number, number>();
  for (const colour of colours) frequency.set(colour, (frequency.get(colour) ?? 0) + 1);
  const palette: number[] = [];
  for (const [colour] of [...frequency].toSorted(([, one], [, other]) => other - one)) {
    if (palette.length < 256 && palette.every((kept) => distance(kept, colour) > SAME)) palette.push(colour);
  }
  const nearest = new Map<number, number>();
  for (const colour of frequency.keys()) {
    const distances = palette.map((kept) => distance(kept, colour));
    nearest.set(colour, distances.indexOf(Math.min(...distances)));
  }
  const indexes = Uint8Array.from(colours, (colour) => nearest.get(colour)!);
  const entries = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 0xff, colour & 0xff]));
  const data = deflateSync(filtered(indexes, width, height, 1, 0), { level: 9 });
  return assemble(width, height, INDEXED, [chunk('PLTE', entries), chunk('IDAT', data)]);
}

function distance(one: number, other: number): number {
  const [red, green, blue] = [16, 8, 0].map((shift) => ((one >> shift) & 0xff) - ((other >> shift) & 0xff));
  return red! ** 2 + green! ** 2 + blue! ** 2;
}

function assemble(width: number, height: number, colour: number, chunks: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, colour], 8);
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), ...chunks, chunk('IEND', Buffer.alloc(0))]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

function unfilter(data: Uint8Array, stride: number, height: number, channels: number): Uint8Array {
  const rows = new Uint8Array(stride * height);
  for (let row = 0; row < height; row += 1) {
    const filter = data[row * (stride + 1)]!;
    for (let at = 0; at < stride; at += 1) {
      const place = row * stride + at;
      rows[place] = data[place + row + 1]! + predicted(rows, place, at, row, stride, channels, filter);
    }
  }
  return rows;
}

/** Every row through one filter, or each through the one that leaves it the smallest differences. */
function filtered(data: Uint8Array, stride: number, height: number, channels: number, wanted: number | 'best') {
  const out = new Uint8Array((stride + 1) * height);
  for (let row = 0; row < height; row += 1) {
    const lines = (wanted === 'best' ? FILTERS : [wanted]).map((filter) => {
      const line = new Uint8Array(stride + 1);
      line[0] = filter;
      for (let at = 0; at < stride; at += 1) {
        const place = row * stride + at;
        line[at + 1] = data[place]! - predicted(data, place, at, row, stride, channels, filter);
      }
      return { line, cost: line.reduce((sum, value) => sum + Math.min(value, 256 - value), 0) };
    });
    const [cheapest] = lines.toSorted((one, other) => one.cost - other.cost);
    out.set(cheapest!.line, row * (stride + 1));
  }
  return out;
}

/** The byte that a filter expects, from those to its left and above it. PNG 9.2. */
function predicted(
  rows: Uint8Array,
  place: number,
  at: number,
  row: number,
  stride: number,
  channels: number,
  filter: number,
): number {
  const left = at < channels ? 0 : rows[place - channels]!;
  const above = row === 0 ? 0 : rows[place - stride]!;
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  if (filter !== 4) return 0;
  const corner = at < channels || row === 0 ? 0 : rows[place - stride - channels]!;
  const [toLeft, toAbove, toCorner] = [above - corner, left - corner, left + above - 2 * corner].map(Math.abs);
  if (toLeft! <= toAbove! && toLeft! <= toCorner!) return left;
  return toAbove! <= toCorner! ? above : corner;
}
