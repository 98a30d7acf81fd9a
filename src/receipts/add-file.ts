import { fileIdOf, LONGEST_FILE_NAME, MOST_FILE_BYTES, MOST_FILES, type FileFacts } from '../lead/files.ts';
import { hashOf, hexOf } from '../lead/hash.ts';
import { messagesOfKind } from '../lead/messages.ts';
import { hasText } from '../lead/bounds.ts';
import type { Entry } from '../outbox/entry.ts';
import { withFileLock, storeFile, deleteDeliveredFiles } from '../outbox/file-store.ts';
import { outbox } from '../outbox/phone-outbox.ts';
import { withWaitingMark } from '../phone/quote-marks.ts';
import type { files as words } from '../content/files.ts';

/** Longest side of a stored picture in pixels. At this size a label on a pallet is still readable. */
const LONGEST_SIDE = 2000;
const QUALITY = 0.82;
export type FileRefusal = keyof typeof words.not;

interface AddedFile {
  readonly id: string;
  /** True if the quote already had this file. */
  readonly isKnown?: true;
}

/**
 * Prepares a picture or document and stores it for a quote. Resolves with the id of the stored file, or with the reason
 * why the file was refused.
 */
export async function addFile(quoteId: string, file: File): Promise<AddedFile | FileRefusal> {
  // A picture that the browser cannot read is refused as an unknown type.
  const prepared = await prepare(file).catch(() => 'type' as const);
  if (typeof prepared === 'string') return prepared;
  const { tipo, content } = prepared;
  if (content.byteLength > MOST_FILE_BYTES) return 'size';
  const huella = hexOf(await hashOf(content));
  const id = await fileIdOf(quoteId, huella);
  const nombre = nameOf(file.name, tipo);
  const details = { nombre, tipo, bytes: content.byteLength, huella } satisfies FileFacts;
  try {
    const entries = await outbox.entries();
    const messages = entries.find((entry) => entry.id === quoteId)?.messages ?? [];
    const present = messagesOfKind(messages, 'archivo').filter(({ state }) => state.kind !== 'refused');
    if (present.some((other) => other.id === id)) return { id, isKnown: true };
    if (present.length >= MOST_FILES) return 'many';
    await withFileLock(async () => {
      await storeMakingRoom(id, content, entries);
      await withWaitingMark(() => outbox.addMessage(quoteId, { id, kind: 'archivo', details }));
    });
  } catch {
    return 'room';
  }
  outbox.flush('due').catch(() => undefined);
  return { id };
}

/** Stores a file. If the disk is full, deletes this phone's copies of delivered files and tries again. */
const storeMakingRoom = (id: string, content: ArrayBuffer, entries: readonly Entry[]): Promise<void> =>
  storeFile(id, content).catch(async () => {
    await deleteDeliveredFiles(entries);
    return storeFile(id, content);
  });

async function prepare(
  file: File,
): Promise<{ readonly tipo: FileFacts['tipo']; readonly content: ArrayBuffer } | FileRefusal> {
  const head = new Uint8Array(await file.slice(0, 5).arrayBuffer());
  if (String.fromCharCode(...head) === '%PDF-')
    return file.size > MOST_FILE_BYTES ? 'size' : { tipo: 'application/pdf', content: await file.arrayBuffer() };
  const picture = await createImageBitmap(file).catch(() => undefined);
  const drawn = picture && (await draw(picture));
  return drawn ? { tipo: 'image/jpeg', content: await drawn.arrayBuffer() } : 'type';
}

/** Draws a picture in a smaller size. The drawing lacks the camera's metadata, such as the place. */
function draw(picture: ImageBitmap): Promise<Blob | null> {
  const scale = Math.min(1, LONGEST_SIDE / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const context = canvas.getContext('2d')!;
  // JPEG has no transparency. Without a white background, transparent areas would become black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY));
}

/** Returns a file name that the database accepts. The extension is that of the stored type. */
function nameOf(given: string, tipo: FileFacts['tipo']): string {
  const [ending, usual] = tipo === 'application/pdf' ? ['.pdf', 'documento'] : ['.jpg', 'foto'];
  const bare = given
    .replace(/^.*[/\\]/, '')
    .replace(/(?<=.)\.[^.]*$/, '')
    .replaceAll(/[\p{Cc}\p{Cs}]+/gu, ' ')
    .slice(0, LONGEST_FILE_NAME - ending.length - 1)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trim();
  return `${hasText(bare) ? bare : usual}${ending}`;
}
