import * as z from 'zod/mini';
import { harmless } from './harmless.ts';
import { hashOf, idOf } from './hash.ts';
import { oneOf, readShape, type Valid } from './validation.ts';

// Types and limits of the files attached to a quote. The database has a copy of them, and a test compares both.

export const FILE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'] as const;
export const MOST_FILES = 10;
export const MOST_FILE_BYTES = 10 * 1024 * 1024;
export const LONGEST_FILE_NAME = 120;
/** Number of bytes in each part of a file. After a lost connection, at most one part must be sent again. */
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
 * Returns the name under which the desk saves the file. The extension decides which program opens the file, so the
 * sender's extension is replaced by that of the checked type.
 */
export const nameToSave = ({ nombre, tipo }: FileFacts): string =>
  `${harmless(nombre).replace(/\.[^.]*$/, '')}.${ENDINGS[tipo]}`;

/**
 * Derives the file's id from the quote's id and the content, so that two phones that send the same file use the same
 * id.
 */
export async function fileIdOf(quoteId: string, huella: string): Promise<string> {
  const bytes = (await hashOf(new TextEncoder().encode(`${quoteId} ${huella}`))).slice(0, 16);
  // Marks the id as a UUID of version 8 (RFC 9562), the version for ids derived from content.
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return idOf(bytes);
}
