import * as z from 'zod/mini';
import { harmless } from './harmless.ts';
import { hashOf, idOf } from './hash.ts';
import { oneOf, readShape, type Valid } from './validation.ts';

// Files of a quote. The database has the same bounds, and a test compares the two.

export const FILE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'] as const;
export const MOST_FILES = 10;
export const MOST_FILE_BYTES = 10 * 1024 * 1024;
export const LONGEST_FILE_NAME = 120;
/** Bytes of a part: a lost connection costs at most one part. */
export const PART_BYTES = 65_536;

export const fileShape = {
  nombre: z.string(),
  tipo: oneOf(FILE_TYPES),
  bytes: z.number(),
  huella: z.string(),
};

export type FileFacts = Valid<typeof fileShape>;

export const readFileFacts = (value: unknown): FileFacts | undefined => readShape(fileShape, value);

export const partsOf = ({ bytes }: Pick<FileFacts, 'bytes'>): number => Math.ceil(bytes / PART_BYTES);

const ENDINGS: Readonly<Record<FileFacts['tipo'], string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
};

/**
 * File name for the desk. The extension follows the checked type: a stranger chose the name, and the extension decides
 * which program opens the file.
 */
export const nameToSave = ({ nombre, tipo }: FileFacts): string =>
  `${harmless(nombre).replace(/\.[^.]*$/, '')}.${ENDINGS[tipo]}`;

/** Derives the id from quote and content, so that two phones can send parts of the same file. */
export async function fileIdOf(quoteId: string, huella: string): Promise<string> {
  const bytes = (await hashOf(new TextEncoder().encode(`${quoteId} ${huella}`))).slice(0, 16);
  // Version 8 of a UUID (RFC 9562), for ids derived from content.
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return idOf(bytes);
}
