import { OperatorError } from '../language.ts';

/** Bytes of a block in a POSIX tar (ustar). Each file has a header of one block, and is padded to whole blocks. */
export const BLOCK = 512;

export const TAR_END = new Uint8Array(2 * BLOCK);

/** Date of every file, 2000-01-01, so that the same content gives the same archive. */
const MOMENT = 946_684_800;
const SUM = 148;
const KINDS = { file: '0', program: '0', folder: '5' } as const;

export interface TarEntry {
  readonly name: string;
  readonly size: number;
  readonly kind: keyof typeof KINDS;
}

export const paddingAfter = (size: number) => new Uint8Array((BLOCK - (size % BLOCK)) % BLOCK);

export function tarHeader({ name: path, size, kind }: TarEntry): Uint8Array {
  const block = Buffer.alloc(BLOCK);
  const [prefix, name] = splitName(path);
  const octal = (value: number, width: number) => `${value.toString(8).padStart(width - 1, '0')}\0`;
  block.write(name, 0);
  block.write(octal(kind === 'file' ? 0o644 : 0o755, 8), 100);
  block.write(octal(0, 8) + octal(0, 8), 108);
  block.write(octal(size, 12) + octal(MOMENT, 12), 124);
  block.write('        ', SUM);
  block.write(KINDS[kind], 156);
  block.write('ustar\x0000', 257);
  block.write(prefix, 345);
  block.write(`${sumOf(block).toString(8).padStart(6, '0')}\0 `, SUM);
  return block;
}

/** Reads the header of an entry. Throws if the entry is not a file or a folder. */
export function readTarHeader(block: Buffer): TarEntry {
  if (block.length !== BLOCK) throw new OperatorError({ es: 'está incompleto', en: 'it is cut off' });
  const text = (from: number, to: number) => block.toString('latin1', from, to).replace(/\0.*$/s, '');
  const number = (from: number, to: number) => Number.parseInt(text(from, to).trim() || 'none', 8);
  const sum = number(SUM, SUM + 8);
  block.fill(' ', SUM, SUM + 8);
  const kind = Object.entries(KINDS).find(([, flag]) => flag === text(156, 157))?.[0] as TarEntry['kind'] | undefined;
  const size = number(124, 136);
  if (sumOf(block) !== sum || !kind || !(size >= 0))
    throw new OperatorError({
      es: 'no es un archivo tar de archivos y carpetas',
      en: 'it is not an archive of files and folders',
    });
  const [prefix, name] = [text(345, 500), text(0, 100)];
  return { name: prefix ? `${prefix}/${name}` : name, size, kind };
}

const sumOf = (block: Uint8Array) => block.reduce((total, byte) => total + byte, 0);

/** Splits a long name at a slash, because the format has fields of 155 and 100 bytes. */
function splitName(path: string): [prefix: string, name: string] {
  if (path.length <= 100) return ['', path];
  const at = path.indexOf('/', path.length - 101);
  if (at < 0 || at > 155 || /[^\x20-\x7E]/.test(path))
    throw new Error(`${path} is too long, or not ASCII, for a name in an archive.`);
  return [path.slice(0, at), path.slice(at + 1)];
}
