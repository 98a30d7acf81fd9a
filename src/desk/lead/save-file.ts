import { papers as words } from '../../content/files.ts';
import { nameToSave, partsOf } from '../../lead/files.ts';
import { hashOf, hexOf } from '../../lead/hash.ts';
import type { FileRow } from '../../lead/rows.ts';
import { download } from '../../ui/download.ts';
import { DONE, ending, type Ending } from '../api/ending.ts';
import { readPart } from '../api/files.ts';

/**
 * Puts a file together from its parts and hands it to the browser as a download, if the digest fits. Files have no
 * address on our server: no page of ours ever opens what a stranger sent.
 */
export const saveFile = (file: FileRow, folio: string): Promise<Ending> =>
  ending(async () => {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    for (let parte = 0; parte < partsOf(file); parte += 1) {
      parts.push(await readPart(file.id, parte));
    }
    const content = await new Blob(parts).arrayBuffer();
    if (hexOf(await hashOf(content)) !== file.huella) return { kind: 'refused', says: words.broken };
    download(`${folio} ${nameToSave(file)}`, 'application/octet-stream', [content]);
    return DONE;
  });
