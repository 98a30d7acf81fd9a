import { gzipSync } from 'node:zlib';
import { paddingAfter, TAR_END, tarHeader } from '../../server/database/tar.ts';

export interface Entry {
  readonly name: string;
  readonly content: Uint8Array;
}

/** The entries in their order, the same to the byte whoever makes the archive wherever. */
export function tarGz(entries: readonly Entry[]): Uint8Array {
  const blocks = entries.flatMap(({ name, content }) => {
    const size = content.byteLength;
    return [tarHeader({ name, size, kind: 'file' }), content, paddingAfter(size)];
  });
  return gzipSync(Buffer.concat([...blocks, TAR_END]), { level: 9 });
}
