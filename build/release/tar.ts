import { gzipSync } from 'node:zlib';
import { paddingAfter, TAR_END, tarHeader } from '../../server/database/tar.ts';

export interface Entry {
  readonly name: string;
  readonly kind: 'file' | 'program';
  readonly content: Uint8Array;
}

/** Packs the entries in their order. The result has the same bytes on every machine. */
export function tarGz(entries: readonly Entry[]): Uint8Array {
  const blocks = entries.flatMap(({ name, kind, content }) => {
    const size = content.byteLength;
    return [tarHeader({ name, size, kind }), content, paddingAfter(size)];
  });
  return gzipSync(Buffer.concat([...blocks, TAR_END]), { level: 9 });
}
