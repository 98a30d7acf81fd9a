import { partsOf, readFileFacts, type FileFacts } from '../lead/files.ts';
import { hashOf, hexOf } from '../lead/hash.ts';
import { failureOutcome, insert, ID_HEADER, table } from './delivery.ts';
import { readPart } from './file-store.ts';
import type { Outgoing } from './messages.ts';
import { SHOWN_AS_SENDING, type SendOutcome } from './state.ts';

const rejectedFile = (code: 'gone' | 'damaged'): SendOutcome => ({
  kind: 'refused',
  refusal: { kind: 'rejected', code, message: '' },
});
const UNREACHABLE: SendOutcome = { kind: 'unreachable' };

/**
 * Numbers of the parts that the server lacks, for each file id. Fetched before the first part, and again after each
 * failure.
 */
const missingParts = new Map<string, number[]>();

/** Sends the next part of a file. Between two parts all other waiting messages are sent. */
export async function sendPart(file: Outgoing<'archivo'>): Promise<SendOutcome> {
  const outcome = await sendNext(file).catch(() => UNREACHABLE);
  if (outcome.kind !== 'more') missingParts.delete(file.id);
  return outcome;
}

async function sendNext(message: Outgoing<'archivo'>): Promise<SendOutcome> {
  const { id, quoteId, details } = message;
  const facts = readFileFacts(details);
  if (!facts) return rejectedFile('gone');
  const headers = { [ID_HEADER]: quoteId };
  const read = (name: 'quote_files' | 'quote_file_parts', by: 'id' | 'file_id', columns: string) =>
    table(name, headers)
      .select(columns as '*')
      .eq(by, id);

  let unsentParts = missingParts.get(id);
  const wasAnnounced = unsentParts !== undefined;
  if (!unsentParts) {
    const result = await insert('quote_files', { id, quote_id: quoteId, ...facts }, 'id', headers, 'created_at');
    if (!result.data) return failureOutcome(result, quoteId);
    const { data } = await read('quote_file_parts', 'file_id', 'parte');
    if (!Array.isArray(data)) return UNREACHABLE;
    const received = new Set(data.map(({ parte }) => parte));
    unsentParts = Array.from({ length: partsOf(facts) }, (_, parte) => parte).filter((parte) => !received.has(parte));
    missingParts.set(id, unsentParts);
  }
  const [parte] = unsentParts;
  if (parte !== undefined) {
    const content = await readPart(id, parte);
    if (!content) return rejectedFile('gone');
    const part = { file_id: id, parte, base64: base64Of(content) };
    const sent = await insert('quote_file_parts', part, 'file_id,parte', headers, 'parte', SHOWN_AS_SENDING);
    // A server that was restored from a backup no longer knows the file, so the file is announced again.
    if (sent.error?.code === '42501' && wasAnnounced) {
      missingParts.delete(id);
      return sendNext(message);
    }
    if (!sent.data) return failureOutcome(sent, quoteId);
    unsentParts.shift();
    if (unsentParts.length > 0) return { kind: 'more', come: partsOf(facts) - unsentParts.length };
  }
  const { data } = await read('quote_files', 'id', 'whole_at');
  if (!Array.isArray(data)) return UNREACHABLE;
  const [file] = data;
  // The server erases a received file whose hash is wrong, and then returns none. If this phone's copy is damaged, the
  // sending ends. If the copy is sound, the wrong parts came from another phone that has the quote, and the file is
  // sent again.
  if (!file && !(await isSound(id, facts))) return rejectedFile('damaged');
  const wholeAt = file?.whole_at as string | null | undefined;
  return wholeAt ? { kind: 'delivered', at: Date.parse(wholeAt) } : UNREACHABLE;
}

async function isSound(id: string, facts: FileFacts): Promise<boolean> {
  const parts = await Promise.all(Array.from({ length: partsOf(facts) }, (_, parte) => readPart(id, parte)));
  const content = await new Blob(parts.filter((part) => part !== undefined)).arrayBuffer();
  return hexOf(await hashOf(content)) === facts.huella;
}

/** Encodes 8192 bytes at a time, because browsers limit the number of arguments of `String.fromCharCode`. */
function base64Of(content: ArrayBuffer): string {
  const bytes = new Uint8Array(content);
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}
