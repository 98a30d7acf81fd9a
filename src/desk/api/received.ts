import { deskReceived as words } from '../../content/desk-received.ts';
import {
  readReceivedFileRow,
  readReceivedRow,
  readSuggestionRow,
  type ReceivedRow,
  type SuggestionRow,
} from '../../lead/rows.ts';
import { DONE, resultOf, type ActionResult } from './action-result.ts';
import { backend, rows } from './backend.ts';
import { readLead } from './lead-feed.ts';

const MESSAGES = 'received_messages';
/** Maximum number of messages in one read. Further messages are read after some of these are handled. */
const MOST = 100;

/** Received message that is not assigned to a quote request yet, with its files and the suggested requests. */
export interface WaitingMessage extends ReceivedRow {
  readonly files: readonly string[];
  readonly suggestions: readonly SuggestionRow[];
}

export const readWaitingMessages = (): Promise<readonly ReceivedRow[]> =>
  rows(backend.from(MESSAGES).select('*').eq('state', 'pendiente').order('received_at').limit(MOST), readReceivedRow);

export async function withSuggestions(messages: readonly ReceivedRow[]): Promise<readonly WaitingMessage[]> {
  const ids = messages.map(({ id }) => id);
  if (ids.length === 0) return [];
  const [suggestions, files] = await Promise.all([
    rows(
      backend
        .from('received_suggestions')
        .select('*')
        .in('message_id', ids)
        .order('is_named', { ascending: false })
        .order('created_at', { ascending: false }),
      readSuggestionRow,
    ),
    rows(backend.from('received_files').select('message_id,nombre').in('message_id', ids), readReceivedFileRow),
  ]);
  return messages.map((message) => ({
    ...message,
    suggestions: suggestions.filter(({ message_id }) => message_id === message.id),
    files: files.flatMap(({ message_id, nombre }) => (message_id === message.id ? [nombre] : [])),
  }));
}

/** Adds the message to the conversation of a quote request, as a question of the customer. */
export const assignMessage = (id: string, quote_id: string): Promise<ActionResult> =>
  resultOf(
    async () => {
      await rows(backend.from(MESSAGES).update({ quote_id }).eq('id', id).select('id'));
      await readLead(quote_id);
      return DONE;
    },
    async () => {
      // If an earlier attempt has arrived and only its response was lost, the message is assigned to this request
      // already.
      const [now] = await rows(backend.from(MESSAGES).select('*').eq('id', id), readReceivedRow);
      return now?.quote_id === quote_id ? DONE : { kind: 'conflict', says: words.handled };
    },
  );

/**
 * True if the message can be assigned to this request: it still waits, or an earlier attempt has assigned it to the
 * same request.
 */
export async function isAssignable(id: string, quoteId: string): Promise<boolean> {
  const [now] = await rows(backend.from(MESSAGES).select('*').eq('id', id), readReceivedRow);
  return now?.state === 'pendiente' || now?.quote_id === quoteId;
}

/** Discards a message, or puts a discarded message back among the waiting ones. */
export const setDiscarded = (id: string, isDiscarded: boolean): Promise<ActionResult> =>
  resultOf(
    async () => {
      const state = isDiscarded ? 'descartado' : 'pendiente';
      await rows(backend.from(MESSAGES).update({ state }).eq('id', id).select('id'));
      return DONE;
    },
    async () => ({ kind: 'conflict', says: words.handled }),
  );
