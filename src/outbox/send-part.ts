import { partsOf, readFileFacts } from '../lead/files.ts';
import type { ReplyRow } from './conversation.ts';
import { failed, insert, PRESENTED, sendFilesBy, table } from './delivery.ts';
import { readPart } from './file-store.ts';
import { SHOWN_AS_SENDING, type Outcome } from './state.ts';

/** The phone has it no more: its sender can bring it again. */
const GONE: Outcome = { kind: 'refused', refusal: { kind: 'rejected', code: 'gone', message: '' } };
const UNREACHABLE: Outcome = { kind: 'unreachable' };

sendFilesBy(sendPart);

/** The parts that the server has not, by the id of their file: it is asked at a start, and after each failure. */
const missing = new Map<string, number[]>();

/** One try to bring the next part of a file. Between two of them whatever else waits goes first. */
async function sendPart(row: ReplyRow): Promise<Outcome> {
  // A disk that does not answer may do so later.
  const outcome = await sendNext(row).catch(() => UNREACHABLE);
  if (outcome.kind !== 'more') missing.delete(row.id);
  return outcome;
}

async function sendNext(row: ReplyRow): Promise<Outcome> {
  const { id, quote_id, details } = row;
  const facts = readFileFacts(details);
  if (!facts) return GONE;
  const shown = { [PRESENTED]: quote_id };
  const read = (name: 'quote_files' | 'quote_file_parts', by: 'id' | 'file_id', columns: string) =>
    table(name, shown)
      .select(columns as '*')
      .eq(by, id);

  let rest = missing.get(id);
  const wasKnown = rest !== undefined;
  if (!rest) {
    const announced = await insert('quote_files', { id, quote_id, ...facts }, 'id', shown, 'created_at');
    if (!announced.data) return failed(announced, quote_id);
    const { data } = await read('quote_file_parts', 'file_id', 'parte');
    if (!Array.isArray(data)) return UNREACHABLE;
    const come = new Set(data.map(({ parte }) => parte));
    rest = Array.from({ length: partsOf(facts) }, (_, parte) => parte).filter((parte) => !come.has(parte));
    missing.set(id, rest);
  }
  const [parte] = rest;
  if (parte !== undefined) {
    const content = await readPart(id, parte);
    if (!content) return GONE;
    const part = { file_id: id, parte, base64: base64Of(content) };
    const sent = await insert('quote_file_parts', part, 'file_id,parte', shown, 'parte', SHOWN_AS_SENDING);
    // A server that was brought back from a backup does not know the file: it is announced again.
    if (sent.error?.code === '42501' && wasKnown) {
      missing.delete(id);
      return sendNext(row);
    }
    if (!sent.data) return failed(sent, quote_id);
    rest.shift();
    if (rest.length > 0) return { kind: 'more', come: partsOf(facts) - rest.length };
  }
  const { data } = await read('quote_files', 'id', 'whole_at');
  if (!Array.isArray(data)) return UNREACHABLE;
  const wholeAt = data[0]?.whole_at as string | null | undefined;
  return wholeAt ? { kind: 'delivered', at: Date.parse(wholeAt) } : UNREACHABLE;
}

/** As few arguments at once as every engine takes. */
function base64Of(content: ArrayBuffer): string {
  const bytes = new Uint8Array(content);
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}
