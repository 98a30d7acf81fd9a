import { gzipSync } from 'node:zlib';

export interface Entry {
  readonly name: string;
  readonly content: Uint8Array;
}

const BLOCK = 512;
/** The same for every file, so that an archive tells nothing of who made it when: 2000-01-01. */
const MOMENT = 946_684_800;

/** A tar as POSIX has it (ustar), in the order of the entries, the same to the byte whoever makes it wherever. */
export function tarGz(entries: readonly Entry[]): Uint8Array {
  const blocks = entries.flatMap(({ name, content }) => [header(name, content.byteLength), content, padding(content)]);
  return gzipSync(Buffer.concat([...blocks, new Uint8Array(2 * BLOCK)]), { level: 9 });
}

const padding = ({ byteLength }: Uint8Array) => new Uint8Array((BLOCK - (byteLength % BLOCK)) % BLOCK);

function header(path: string, size: number): Uint8Array {
  const block = Buffer.alloc(BLOCK);
  const [prefix, name] = inTwo(path);
  const octal = (value: number, width: number) => `${value.toString(8).padStart(width - 1, '0')}\0`;
  block.write(name, 0);
  block.write(octal(0o644, 8), 100);
  block.write(octal(0, 8) + octal(0, 8), 108);
  block.write(octal(size, 12) + octal(MOMENT, 12), 124);
  block.write('        0', 148);
  block.write('ustar\x0000', 257);
  block.write(prefix, 345);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

/** A name has room for 100 bytes, and 155 more before a slash. */
function inTwo(path: string): [prefix: string, name: string] {
  if (path.length <= 100) return ['', path];
  const at = path.indexOf('/', path.length - 101);
  if (at < 0 || at > 155 || /[^\x20-\x7E]/.test(path)) throw new Error(`${path} is no name for an archive.`);
  return [path.slice(0, at), path.slice(at + 1)];
}
