import { papers as words } from '../content/files.ts';
import { nameToSave, partsOf } from '../lead/files.ts';
import { hashOf, hexOf } from '../lead/hash.ts';
import type { FileRow } from '../lead/rows.ts';
import { download } from '../ui/download.ts';
import { DONE, ending, type Ending } from './actions.ts';
import { backend, rows } from './backend.ts';

/**
 * Puts a file together from its parts, and hands it to the browser as a download once it is what was announced. It has
 * no address on our server: nothing that a stranger sent is ever opened as a page of ours.
 */
export const saveFile = (file: FileRow, folio: string): Promise<Ending> =>
  ending(async () => {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    for (let parte = 0; parte < partsOf(file); parte += 1) {
      const [row] = await rows<{ datos: string }>(
        backend.from('quote_file_parts').select('datos').eq('file_id', file.id).eq('parte', parte),
      );
      parts.push(bytesOf(row?.datos ?? ''));
    }
    const content = await new Blob(parts).arrayBuffer();
    if (hexOf(await hashOf(content)) !== file.huella) return { kind: 'refused', says: words.broken };
    download(`${folio} ${nameToSave(file)}`, 'application/octet-stream', [content]);
    return DONE;
  });

/** As PostgreSQL writes bytes: two hexadecimal digits each, after `\x`. */
const bytesOf = (hex: string) =>
  Uint8Array.from({ length: Math.max(0, hex.length / 2 - 1) }, (_, at) =>
    Number.parseInt(hex.substr(2 + 2 * at, 2), 16),
  );
