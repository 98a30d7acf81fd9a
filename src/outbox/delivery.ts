import type { Device } from './push-device.ts';
import { PostgrestQueryBuilder } from '@supabase/postgrest-js';
import { config, keyHeaders } from '../config.ts';
import { loadFileSender } from './file-sender.ts';
import { ROUTES, type Outgoing, type Route } from './messages.ts';
import { faultIn, flatRow, sameQuote, type Quote } from '../lead/quote.ts';
import { rowOf } from '../lead/quote-row.ts';
import type { HeardState } from '../lead/offer.ts';
import { answerIn, type Answer } from '../lead/answer.ts';
import { isWord } from '../lead/messages.ts';
import { fitRow, mayBeOlder, SCHEMA_HEADER } from '../lead/schema-version.ts';
import type { Loose } from '../lead/shape.ts';
import type { Outcome } from './state.ts';

const TIME_OUT = 15_000;
const READ_BACK_TIME_OUT = 5_000;
/** In a header and not in the address: whoever reads a server's log must not read the row. */
export const PRESENTED = 'x-submission-id';
/** The notice that a quote was sent under. */
const NOTICE = 'x-aviso';

const CORRECTABLE = /^(22...|2350[23]|23514|PGRST102|PGRST204)$/;

/** One try. The first send and every re-send are the same request; the key in the database makes it once. */
export async function deliver(quote: Quote, replaced?: string, deliveredAt?: number): Promise<Outcome> {
  const field = faultIn(quote);
  if (field) return { kind: 'refused', refusal: { kind: 'invalid', field } };

  // The id of the replaced quote is known to its sender alone.
  const headers = {
    ...(replaced && { [PRESENTED]: `${quote.id},${replaced}` }),
    ...(quote.aviso && { [NOTICE]: quote.aviso }),
  };
  const { response, data, error } = await insert('quotes', again(rowOf(quote), deliveredAt), 'id', headers);
  if (data) return data.length > 0 ? stored(data[0], response!) : storedBefore(quote, response!);
  if (!error) return unreachable(response);
  if (error.code === '23505') {
    if (error.message.includes('quotes_pkey')) return storedBefore(quote, response!);
    return { kind: 'refused', refusal: { kind: 'known' } };
  }
  return refused(error);
}

/** The same request as ever, with the moment of its first delivery where the server has lost it since. */
function again<Row extends object>(row: Row, deliveredAt: number | undefined): Row & { entregada?: string } {
  return deliveredAt === undefined ? row : { ...row, entregada: new Date(deliveredAt).toISOString() };
}

/** Brings a message to the server, by the id of the quote that it belongs to. */
export async function deliverMessage(message: Outgoing, deliveredAt?: number): Promise<Outcome> {
  if (message.kind === 'archivo') {
    const sender = await loadFileSender().catch(() => undefined);
    return sender ? sender.sendPart(message) : unreachable();
  }
  const outcome = await tryMessage(message, deliveredAt);
  if (outcome.kind !== 'refused' || !('code' in outcome.refusal) || outcome.refusal.code !== '23503') return outcome;
  // The quote may have come back between the try and the question whether it is lost, and its answer be lost for good.
  return tryMessage(message, isWord(message) ? (deliveredAt ?? Date.now()) : deliveredAt);
}

async function tryMessage(message: Exclude<Outgoing, Outgoing<'archivo'>>, deliveredAt?: number): Promise<Outcome> {
  const { id, kind, quoteId: quote_id } = message;
  // The row of a kind takes the message of the same kind, which the compiler cannot see through an index.
  const { table: name, key, columns } = ROUTES[kind] as Route<typeof kind>;
  const row = { quote_id, ...(!key && { id }), ...columns?.(message, deliveredAt !== undefined) };
  const shown = { [PRESENTED]: quote_id };
  const { response, data, error } = isWord(message)
    ? await insert(name, again(row, deliveredAt), 'id', shown)
    : await insert(name, row, key ?? 'id', shown, key ?? 'created_at');
  // The list of answers brings no state of an offer that the server has lost: its verdict is read back.
  const kept = data?.length === 0 && kind === 'aceptada' ? await readMessage(id, quote_id) : data;
  if (data) return kept ? { ...stored(kept[0], response!), over: overIn(kept[0]) } : unreachable();
  if (!error) return unreachable(response);
  return failed({ response, error }, quote_id);
}

/** Reads the message that an earlier try left; undefined if our server did not answer. */
async function readMessage(id: string, quoteId: string): Promise<readonly Stored[] | undefined> {
  const mine = table('quote_replies', { [PRESENTED]: quoteId }, READ_BACK_TIME_OUT);
  const { data } = await mine.select('*').eq('id', id);
  return Array.isArray(data) ? data.filter((row) => row.id === id) : undefined;
}

/** An acceptance that binds nobody says why. */
function overIn(row: Stored | undefined): HeardState | undefined {
  return (['vencida', 'reemplazada', 'retirada', 'sinoferta'] as const).find((state) => state === row?.verdict);
}

/** How a try ended that left nothing of what belongs to this quote. */
export async function failed({ response, error }: Omit<Sent, 'data'>, quoteId: string): Promise<Outcome> {
  if (!error) return unreachable(response);
  // The quote, or its answer, was erased on the other side, or a server that was brought back from a backup lost it.
  if (error.code === '23503') {
    const unknown = await fetchUnknown([quoteId]);
    if (!unknown) return unreachable();
    if (unknown.length > 0) return { kind: 'quote-lost' };
  }
  return refused(error);
}

/** So many ids a request may present. */
export const MOST_PRESENTED = 20;

/** The answers to these quotes, by their ids; undefined if our server did not answer. */
export async function fetchAnswers(
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly Answer[]> | undefined> {
  // All columns: an older database has fewer, and a list of them would be refused.
  const { data } = await table('quote_words', { [PRESENTED]: ids.join() })
    .select('*')
    .order('created_at');
  if (!Array.isArray(data)) return undefined;
  const rows = data as unknown as readonly Loose[];
  return new Map(
    ids.map((id) => [id, rows.filter(({ quote_id }) => quote_id === id).flatMap((row) => answerIn(row) ?? [])]),
  );
}

/** The ids that our server has never seen; undefined if it did not answer. */
export async function fetchUnknown(ids: readonly string[]): Promise<readonly string[] | undefined> {
  const { data } = await table('unknown_submissions', { [PRESENTED]: ids.join() }).select('id');
  return Array.isArray(data) ? data.map(({ id }) => id) : undefined;
}

interface Sent {
  readonly response: Response | undefined;
  /** The rows that were stored, none where they were stored before. */
  readonly data?: readonly Stored[];
  /** Why it was turned away for good. */
  readonly error?: { readonly code: string; readonly message: string };
}

/** Sends a row; to a database of an older schema what that takes of it. */
export async function insert(...request: Parameters<typeof tryInsert>): Promise<Sent> {
  const sent = await tryInsert(...request);
  if (!mayBeOlder(sent.error?.code)) return sent;
  const [name, row, ...rest] = request;
  const fitted = fitRow(name, row, await schemaVersion(sent.response));
  // A row that the schema cannot take waits, as if access were denied.
  return fitted ? tryInsert(name, fitted, ...rest) : { ...sent, error: { code: '', message: '' } };
}

/** The version of the schema: in the header of a response, or asked for; that of 1.0 while it is unknown. */
async function schemaVersion(response: Response | undefined): Promise<string> {
  const stated = response?.headers.get(SCHEMA_HEADER);
  return stated ?? (await table('schema_version').select('version')).data?.[0]?.version ?? '';
}

async function tryInsert(
  name: Exclude<keyof Tables, 'unknown_submissions' | 'quote_words' | 'quote_links' | 'push_keys' | 'schema_version'>,
  row: object,
  key: string,
  headers: Record<string, string>,
  columns: '*' | 'answer_id' | 'created_at' | 'parte' = '*',
  timeOut = TIME_OUT,
): Promise<Sent> {
  let response: Response | undefined;
  const rows = table(name, headers, timeOut, async (input, init) => (response = await fetch(input, init)));
  const { status, error, data } = await rows
    .upsert(row as never, { onConflict: key, ignoreDuplicates: true })
    .select(columns);
  // A browser's words for a failed fetch differ ('Load failed', 'NetworkError…'): only what came back counts.
  if (!response || !isJson(response)) return { response };
  if (status === 201 && Array.isArray(data)) return { response, data: data as unknown as readonly Stored[] };
  if (!error || status < 400 || status === 408 || status === 425 || status === 429 || status >= 500)
    return { response };
  return { response, error };
}

function refused({ code, message }: { readonly code: string; readonly message: string }): Outcome {
  return CORRECTABLE.test(code)
    ? { kind: 'refused', refusal: { kind: 'rejected', code, message } }
    : { kind: 'access-denied' };
}

/** Reads the row that an earlier try left, which only the phone that knows its id may see. */
async function storedBefore(quote: Quote, answer: Response): Promise<Outcome> {
  const mine = table('quotes', { [PRESENTED]: quote.id }, READ_BACK_TIME_OUT);
  const { data, error, status } = await mine.select('*');
  // An earlier text may be there. Only a server that will not show it is taken at its word that something is.
  // A captive portal answers in JSON too.
  const rows = Array.isArray(data) ? data : undefined;
  if (!rows && (!error?.code || status > 428)) return unreachable();
  const row = rows?.find(({ id }) => id === quote.id);
  if (row && !sameQuote(flatRow(row) as Quote, quote)) return { kind: 'refused', refusal: { kind: 'superseded' } };
  return stored(row, answer);
}

/** The server's clock dates the receipt, whatever the phone's says. */
function stored(row: Stored | undefined, answer: Response): Outcome & { kind: 'delivered' } {
  const at = Date.parse(row?.created_at ?? answer.headers.get('date') ?? '');
  const promisedAt = Date.parse(row?.promised_at ?? '');
  return { kind: 'delivered', at: Number.isNaN(at) ? Date.now() : at, promisedAt };
}

function unreachable(response?: Response): Outcome {
  const wish = response?.headers.get('retry-after');
  // A captive portal's page has no say in when to ask our server.
  if (!response || !wish || !isJson(response)) return { kind: 'unreachable' };
  // By the clock that wrote it, whatever the phone's says.
  const now = Date.parse(response.headers.get('date') ?? '') || Date.now();
  const wait = /^\d+$/.test(wish) ? Number(wish) * 1000 : Date.parse(wish) - now;
  return wait > 0 ? { kind: 'unreachable', retryAfter: wait } : { kind: 'unreachable' };
}

function isJson(response: Response): boolean {
  return /^application\/(.+\+)?json\b/.test(response.headers.get('content-type') ?? '');
}

type Stored = { readonly created_at: string; readonly promised_at?: string; readonly verdict?: string | null };
interface TableOf<Row, Insert> {
  Row: Row & Record<string, unknown>;
  Insert: Insert & Record<string, unknown>;
  Update: Record<string, unknown>;
  Relationships: [];
}
type Tables = {
  push_keys: TableOf<{ readonly public_key: string }, never>;
  schema_version: TableOf<{ readonly version: string }, never>;
  push_devices: TableOf<Device, Device & { readonly quote_id: string }>;
  unknown_submissions: TableOf<{ readonly id: string }, never>;
  quotes: TableOf<Loose & Stored, object>;
  quote_words: TableOf<Stored & { readonly quote_id: string }, never>;
  quote_replies: TableOf<Stored, object>;
  quote_seen: TableOf<Stored, object>;
  quote_links: TableOf<Stored, never>;
  quote_details: TableOf<Stored, object>;
  quote_link_closings: TableOf<Stored, object>;
  quote_files: TableOf<Stored & { readonly whole_at: string | null }, object>;
  quote_file_parts: TableOf<Stored & { readonly parte: number }, { readonly file_id: string }>;
  promotion_withdrawals: TableOf<Stored, object>;
};
interface Schema {
  Tables: Tables;
  Views: Record<string, never>;
  Functions: Record<string, never>;
}

export function table<Name extends keyof Tables>(
  name: Name,
  headers: Record<string, string> = {},
  timeOut = TIME_OUT,
  fetcher: typeof fetch = fetch,
) {
  const url = new URL(`/rest/v1/${name}`, config.supabaseUrl ?? self.location.origin);
  // The builder alone: the client around it brings schemas and functions that a phone never asks for.
  return new PostgrestQueryBuilder<{}, Schema, Tables[Name], Name>(url, {
    headers: { ...keyHeaders, ...headers },
    retry: false,
    fetch: (input, init) =>
      fetcher(input, {
        ...init,
        signal: AbortSignal.timeout(timeOut),
        // A redirect is a captive portal's, and must not carry a visitor's data to another host.
        redirect: 'error',
        cache: 'no-store',
        credentials: 'omit',
      }),
  });
}
