import { backend, rows } from './backend.ts';

/** Bytes of one part of an attached file. */
export async function readPart(file_id: string, parte: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts = backend.from('quote_file_parts').select('datos').eq('file_id', file_id).eq('parte', parte);
  const [row] = await rows<{ datos: string }>(parts);
  return bytesOf(row?.datos ?? '');
}

/** PostgreSQL writes bytes as two hexadecimal digits each, after `\x`. */
const bytesOf = (hex: string) =>
  Uint8Array.from({ length: Math.max(0, hex.length / 2 - 1) }, (_, at) =>
    Number.parseInt(hex.substr(2 + 2 * at, 2), 16),
  );
