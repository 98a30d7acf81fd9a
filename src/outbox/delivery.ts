import type { Device } from './push-device.ts';
import { PostgrestQueryBuilder } from '@supabase/postgrest-js';
import { config, keyHeaders } from '../config.ts';
import { loadFileSender } from './file-sender.ts';
import { ROUTES, type Outgoing, type MessageRoute } from './messages.ts';
import { faultIn, flatRow, newId, type Quote } from '../lead/quote.ts';
import { rowOf, sameRequest } from '../lead/quote-row.ts';
import type { PhoneOfferState } from '../lead/offer.ts';
import { answerFromRow, type Answer } from '../lead/answer.ts';
import { isReply } from '../lead/messages.ts';
import { fitRow, mayBeOlder, SCHEMA_HEADER } from '../lead/schema-version.ts';
import type { UnknownRecord } from '../lead/validation.ts';
import type { SendOutcome } from './state.ts';

const TIME_OUT = 15_000;
const READ_BACK_TIME_OUT = 5_000;
/**
 * Header with the id of a quote. The id is secret, so it proves the right to read the quote. The id is not in the
 * URL, because server logs contain URLs but no headers.
 */
export const ID_HEADER = 'x-submission-id';
/** Header with the version of the privacy notice that the visitor accepted. */
const NOTICE_HEADER = 'x-aviso';

const CORRECTABLE = /^(22...|2350[23]|23514|PGRST102|PGRST204)$/;

/**
 * Sends a quote. If it is sent twice, both requests have the same id, and the table's primary key stores the quote only
 * once.
 */
export async function deliver(quote: Quote, replaced?: string, deliveredAt?: number): Promise<SendOutcome> {
  const field = faultIn(quote);
  if (field) return { kind: 'refused', refusal: { kind: 'invalid', field } };

  // The id of the replaced quote shows the server that the correction comes from the same sender.
  const headers = {
    ...(replaced && { [ID_HEADER]: `${quote.id},${replaced}` }),
    ...(quote.aviso && { [NOTICE_HEADER]: quote.aviso }),
  };
  const { response, data, error } = await insert('quotes', withFirstDelivery(rowOf(quote), deliveredAt), 'id', headers);
  if (data) return data.length > 0 ? deliveredOutcome(data[0], response!) : readBackOutcome(quote, response!);
  if (!error) return unreachableOutcome(response);
  if (error.code === '23505') {
    if (error.message.includes('quotes_pkey')) return readBackOutcome(quote, response!);
    return { kind: 'refused', refusal: { kind: 'known' } };
  }
  return refusalOutcome(error);
}

function withFirstDelivery<Row extends object>(
  row: Row,
  deliveredAt: number | undefined,
): Row & { entregada?: string } {
  return deliveredAt === undefined ? row : { ...row, entregada: new Date(deliveredAt).toISOString() };
}

export async function deliverMessage(message: Outgoing, deliveredAt?: number): Promise<SendOutcome> {
  if (message.kind === 'archivo') {
    const sender = await loadFileSender().catch(() => undefined);
    return sender ? sender.sendPart(message) : unreachableOutcome();
  }
  const outcome = await tryMessage(message, deliveredAt);
  if (outcome.kind !== 'refused' || !('code' in outcome.refusal) || outcome.refusal.code !== '23503') return outcome;
  // The refusal 23503 means that the server has the quote, but lacks the offer to which the reply refers. With
  // `deliveredAt` the server stores the reply anyway.
  return tryMessage(message, isReply(message) ? (deliveredAt ?? Date.now()) : deliveredAt);
}

async function tryMessage(message: Exclude<Outgoing, Outgoing<'archivo'>>, deliveredAt?: number): Promise<SendOutcome> {
  const { id, kind, quoteId: quote_id } = message;
  // The cast is needed because TypeScript no longer knows, after `ROUTES[kind]`, that the route and the message are of
  // the same kind.
  const { table: name, key, columns } = ROUTES[kind] as MessageRoute<typeof kind>;
  const row = { quote_id, ...(!key && { id }), ...columns?.(message, deliveredAt !== undefined) };
  const headers = { [ID_HEADER]: quote_id };
  const { response, data, error } = isReply(message)
    ? await insert(name, withFirstDelivery(row, deliveredAt), 'id', headers)
    : await insert(name, row, key ?? 'id', headers, key ?? 'created_at');
  // If an earlier try has stored the acceptance, the insert returns no row. The stored row is then read, because it
  // says whether the offer was still valid.
  const rows = data?.length === 0 && kind === 'aceptada' ? await readMessage(id, quote_id) : data;
  if (data)
    return rows ? { ...deliveredOutcome(rows[0], response!), unbound: unboundState(rows[0]) } : unreachableOutcome();
  if (!error) return unreachableOutcome(response);
  return failureOutcome({ response, error }, quote_id);
}

async function readMessage(id: string, quoteId: string): Promise<readonly DeliveredRow[] | undefined> {
  const rows = table('quote_replies', { [ID_HEADER]: quoteId }, READ_BACK_TIME_OUT);
  const { data } = await rows.select('*').eq('id', id);
  return Array.isArray(data) ? data.filter((row) => row.id === id) : undefined;
}

/** State of the offer that makes its acceptance not binding; undefined if the acceptance is binding. */
function unboundState(row: DeliveredRow | undefined): PhoneOfferState | undefined {
  return (['vencida', 'reemplazada', 'retirada', 'sinoferta'] as const).find((state) => state === row?.verdict);
}

export async function failureOutcome(
  { response, error }: Omit<InsertResult, 'data'>,
  quoteId: string,
): Promise<SendOutcome> {
  if (!error) return unreachableOutcome(response);
  // PostgreSQL's code for a row whose quote or answer is missing: it was erased, or lost when the server was restored
  // from a backup.
  if (error.code === '23503') {
    const unknown = await fetchUnknown([quoteId]);
    if (!unknown) return unreachableOutcome();
    if (unknown.length > 0) return { kind: 'quote-lost' };
  }
  return refusalOutcome(error);
}

export const MOST_IDS = 20;

/** Fetches the answers to quotes, as a map by quote id; undefined if the server did not respond. */
export async function fetchAnswers(
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly Answer[]> | undefined> {
  // `*` selects whatever columns the database has. If columns were named, an older database would refuse a name that it
  // does not have.
  const { data } = await table('quote_words', { [ID_HEADER]: ids.join() })
    .select('*')
    .order('created_at');
  if (!Array.isArray(data)) return undefined;
  const rows = data as unknown as readonly UnknownRecord[];
  return new Map(
    ids.map((id) => [id, rows.filter(({ quote_id }) => quote_id === id).flatMap((row) => answerFromRow(row) ?? [])]),
  );
}

/** Fetches which of these ids the server does not have; undefined if the server did not respond. */
export async function fetchUnknown(ids: readonly string[]): Promise<readonly string[] | undefined> {
  const { data } = await table('unknown_submissions', { [ID_HEADER]: ids.join() }).select('id');
  return Array.isArray(data) ? data.map(({ id }) => id) : undefined;
}

interface InsertResult {
  readonly response: Response | undefined;
  /** Rows that this request stored; empty if they were stored earlier. */
  readonly data?: readonly DeliveredRow[];
  readonly error?: { readonly code: string; readonly message: string };
}

/**
 * Inserts a row. If the database has an older schema, the row is sent again without the columns that the schema lacks.
 */
export async function insert(...request: Parameters<typeof tryInsert>): Promise<InsertResult> {
  const result = await tryInsert(...request);
  if (!mayBeOlder(result.error?.code)) return result;
  const [name, row, ...rest] = request;
  const fitted = fitRow(name, row, await schemaVersion(result.response));
  return fitted ? tryInsert(name, fitted, ...rest) : { ...result, error: { code: '', message: '' } };
}

/** Reads the server's schema version from a response header or a table; '' for a 1.0 server, which has neither. */
async function schemaVersion(response: Response | undefined): Promise<string> {
  const version = response?.headers.get(SCHEMA_HEADER);
  return version ?? (await table('schema_version').select('version')).data?.[0]?.version ?? '';
}

async function tryInsert(
  name: Exclude<
    keyof PhoneTables,
    'unknown_submissions' | 'quote_words' | 'quote_links' | 'push_keys' | 'schema_version' | 'customer_ways'
  >,
  row: object,
  key: string,
  headers: Record<string, string>,
  columns: '*' | 'answer_id' | 'created_at' | 'parte' = '*',
  timeOut = TIME_OUT,
): Promise<InsertResult> {
  let response: Response | undefined;
  const rows = table(name, headers, timeOut, async (input, init) => (response = await fetch(input, init)));
  const { status, error, data } = await rows
    .upsert(row as never, { onConflict: key, ignoreDuplicates: true })
    .select(columns);
  // The error texts for a failed request differ between browsers ('Load failed', 'NetworkError…'). The code therefore
  // only checks whether there is a response.
  if (!response || !isJson(response)) return { response };
  if (status === 201 && Array.isArray(data)) return { response, data: data as unknown as readonly DeliveredRow[] };
  if (!error || status < 400 || status === 408 || status === 425 || status === 429 || status >= 500)
    return { response };
  return { response, error };
}

function refusalOutcome({ code, message }: { readonly code: string; readonly message: string }): SendOutcome {
  return CORRECTABLE.test(code)
    ? { kind: 'refused', refusal: { kind: 'rejected', code, message } }
    : { kind: 'access-denied' };
}

/** Reads the quote that an earlier try may have stored. The server returns a quote only to a phone with its id. */
async function readBackOutcome(quote: Quote, answer: Response): Promise<SendOutcome> {
  const quotes = table('quotes', { [ID_HEADER]: quote.id }, READ_BACK_TIME_OUT);
  const { data, error, status } = await quotes.select('*');
  // An earlier try may have stored another text of this quote, so both texts are compared. A captive portal can respond
  // in JSON too, so only an array or a database error counts as a response of the server.
  const rows = Array.isArray(data) ? data : undefined;
  if (!rows && (!error?.code || status > 428)) return unreachableOutcome();
  const row = rows?.find(({ id }) => id === quote.id);
  if (!row) return deliveredOutcome(row, answer);
  // A correction may withdraw a consent that the server has stored; a message then ends the consent there. A consent
  // that only the phone has is ignored: the person may have withdrawn the consent on the server.
  const promociones = !!quote.promociones;
  if (row['promociones'] && !promociones) {
    const ending = { kind: 'baja', id: newId(), quoteId: quote.id, pressedAt: 0 } as const;
    if ((await deliverMessage(ending)).kind !== 'delivered') return unreachableOutcome();
  }
  return sameRequest({ ...(flatRow(row) as Quote), promociones }, quote)
    ? deliveredOutcome(row, answer)
    : { kind: 'refused', refusal: { kind: 'superseded' } };
}

/** Takes the time of delivery from the server's clock, because the phone's clock may be wrong. */
function deliveredOutcome(row: DeliveredRow | undefined, answer: Response): SendOutcome & { kind: 'delivered' } {
  const at = Date.parse(row?.created_at ?? answer.headers.get('date') ?? '');
  const promisedAt = Date.parse(row?.promised_at ?? '');
  return { kind: 'delivered', at: Number.isNaN(at) ? Date.now() : at, promisedAt };
}

function unreachableOutcome(response?: Response): SendOutcome {
  const retryAfter = response?.headers.get('retry-after');
  // A response that is not JSON comes from a captive portal, whose Retry-After does not apply to our server.
  if (!response || !retryAfter || !isJson(response)) return { kind: 'unreachable' };
  // Retry-After may hold a date of the server's clock, so the wait is computed with the server's own `date` header.
  const now = Date.parse(response.headers.get('date') ?? '') || Date.now();
  const wait = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now;
  return wait > 0 ? { kind: 'unreachable', retryAfter: wait } : { kind: 'unreachable' };
}

function isJson(response: Response): boolean {
  return /^application\/(.+\+)?json\b/.test(response.headers.get('content-type') ?? '');
}

type DeliveredRow = { readonly created_at: string; readonly promised_at?: string; readonly verdict?: string | null };
interface TableOf<Row, Insert> {
  Row: Row & Record<string, unknown>;
  Insert: Insert & Record<string, unknown>;
  Update: Record<string, unknown>;
  Relationships: [];
}
type PhoneTables = {
  push_keys: TableOf<{ readonly public_key: string }, never>;
  schema_version: TableOf<{ readonly version: string }, never>;
  push_devices: TableOf<Device, Device & { readonly quote_id: string }>;
  unknown_submissions: TableOf<{ readonly id: string }, never>;
  quotes: TableOf<UnknownRecord & DeliveredRow, object>;
  quote_words: TableOf<DeliveredRow & { readonly quote_id: string }, never>;
  quote_replies: TableOf<DeliveredRow, object>;
  quote_seen: TableOf<DeliveredRow, object>;
  quote_links: TableOf<DeliveredRow, never>;
  quote_details: TableOf<DeliveredRow, object>;
  shipment_papers: TableOf<DeliveredRow, object>;
  quote_link_closings: TableOf<DeliveredRow, object>;
  quote_files: TableOf<DeliveredRow & { readonly whole_at: string | null }, object>;
  quote_file_parts: TableOf<DeliveredRow & { readonly parte: number }, { readonly file_id: string }>;
  promotion_withdrawals: TableOf<DeliveredRow, object>;
  mail_stops: TableOf<DeliveredRow, object>;
  whatsapp_choices: TableOf<DeliveredRow, object>;
  customer_ways: TableOf<{ readonly whatsapp: boolean; readonly wanted: boolean | null }, never>;
};
interface PhoneSchema {
  Tables: PhoneTables;
  Views: Record<string, never>;
  Functions: Record<string, never>;
}

export function table<Name extends keyof PhoneTables>(
  name: Name,
  headers: Record<string, string> = {},
  timeOut = TIME_OUT,
  fetcher: typeof fetch = fetch,
) {
  const url = new URL(`/rest/v1/${name}`, config.supabaseUrl ?? self.location.origin);
  // The phone uses only the query builder of supabase-js: the full client contains functions that a phone never needs.
  return new PostgrestQueryBuilder<{}, PhoneSchema, PhoneTables[Name], Name>(url, {
    headers: { ...keyHeaders, ...headers },
    retry: false,
    fetch: (input, init) =>
      fetcher(input, {
        ...init,
        signal: AbortSignal.timeout(timeOut),
        // A captive portal redirects requests; following a redirect would send personal data to another host.
        redirect: 'error',
        cache: 'no-store',
        credentials: 'omit',
      }),
  });
}
