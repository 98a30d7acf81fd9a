import { partsOf } from '../../lead/files.ts';
import { hashOf, hexOf } from '../../lead/hash.ts';
import type { FileRow } from '../../lead/rows.ts';
import { backend, rows } from './backend.ts';

type Content = Promise<ArrayBuffer | undefined>;

/** Largest picture that is fetched without a click, in bytes. */
const LIGHT = 1_000_000;
const MOST = 20;

const contents = new Map<string, Content>();

export const forgetFiles = (): void => contents.clear();

/** Reads the parts of a file and joins them; undefined if the hash does not match. A matching file is kept in memory. */
export function readFile(file: FileRow): Content {
  const content = contents.get(file.id) ?? readWhole(file);
  contents.delete(file.id);
  contents.set(file.id, content);
  const forget = () => contents.delete(file.id);
  content.then((found) => found ?? forget(), forget);
  if (contents.size > MOST) contents.delete([...contents.keys()][0]!);
  return content;
}

/** Returns the content of a picture that is small or was fetched before; undefined for any other file. */
export async function readPicture(file: FileRow): Content {
  const isWanted = contents.has(file.id) || file.bytes <= LIGHT;
  return isWanted && file.whole_at && file.tipo.startsWith('image/') ? readFile(file) : undefined;
}

async function readWhole(file: FileRow): Content {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let parte = 0; parte < partsOf(file); parte += 1) parts.push(await readPart(file.id, parte));
  const content = await new Blob(parts).arrayBuffer();
  return hexOf(await hashOf(content)) === file.huella ? content : undefined;
}

async function readPart(file_id: string, parte: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts = backend.from('quote_file_parts').select('datos').eq('file_id', file_id).eq('parte', parte);
  const [row] = await rows<{ datos: string }>(parts);
  return bytesOf(row?.datos ?? '');
}

/** Decodes the bytes of a column: PostgreSQL writes two hexadecimal digits for each byte, after `\x`. */
const bytesOf = (hex: string) =>
  Uint8Array.from({ length: Math.max(0, hex.length / 2 - 1) }, (_, at) =>
    Number.parseInt(hex.substr(2 + 2 * at, 2), 16),
  );
