export interface ZipEntry {
  readonly path: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

const UTF8_NAMES = 0x08_00;
/** 1 January 1980, the earliest date in a ZIP file. With a fixed date, equal icons make an equal file. */
const DATE = 0x00_21;

/** Makes a ZIP file (APPNOTE 4.3) without compression, because PNG files are already compressed. */
export function zip(entries: readonly ZipEntry[]): Uint8Array<ArrayBuffer>[] {
  const files: Uint8Array<ArrayBuffer>[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  for (const { path, content } of entries) {
    const name = new TextEncoder().encode(path);
    const lengths = [four(content.length), four(content.length), two(name.length), two(0)].flat();
    const about = [two(20), two(UTF8_NAMES), two(0), two(0), two(DATE), four(crc32(content)), lengths].flat();
    const local = Uint8Array.from([...four(0x04_03_4b_50), ...about, ...name]);
    files.push(local, content);
    const attributes = [two(0), two(0), two(0), four(0), four(offset)].flat();
    directory.push(Uint8Array.from([...four(0x02_01_4b_50), ...two(20), ...about, ...attributes, ...name]));
    offset += local.length + content.length;
  }
  const size = directory.reduce((total, { length }) => total + length, 0);
  const counts = [two(0), two(0), two(entries.length), two(entries.length)].flat();
  const end = Uint8Array.from([...four(0x06_05_4b_50), ...counts, ...four(size), ...four(offset), ...two(0)]);
  return [...files, ...directory, end];
}

const two = (value: number) => [value & 0xff, (value >>> 8) & 0xff];
const four = (value: number) => [...two(value), ...two(value >>> 16)];

function crc32(content: Uint8Array): number {
  let crc = -1;
  for (const byte of content) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (0xed_b8_83_20 & -(crc & 1));
  }
  return ~crc >>> 0;
}
