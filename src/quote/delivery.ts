import { PostgrestQueryBuilder } from '@supabase/postgrest-js';
import { config } from '../config.ts';
import type { Field } from './fields.ts';
import { faultIn, sameQuote, withoutBeside, type Quote } from './quote.ts';

/** Why a quote was turned away for good, as facts: the page finds the words. */
export type Refusal =
  | { readonly kind: 'invalid'; readonly field: Field }
  | { readonly kind: 'rejected'; readonly code: string; readonly message: string }
  /** Another request like it was stored before. */
  | { readonly kind: 'known' }
  /** The quote was stored before it was corrected, with the data it had then. */
  | { readonly kind: 'superseded' };

export type Outcome =
  | { readonly kind: 'delivered'; readonly at: number }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** Nothing of ours answered. `retryAfter` (ms) is the server's own wish. */
  | { readonly kind: 'unreachable'; readonly retryAfter?: number }
  /** Our side does not let anyone in: the visitor can do nothing about it. */
  | { readonly kind: 'access-denied' };

const TIME_OUT = 15_000;
const READ_BACK_TIME_OUT = 5_000;

const CORRECTABLE = /^(22...|23502|23514|PGRST102|PGRST204)$/;

/** One try. The first send and every re-send are the same request; the key in the database makes it once. */
export async function deliver(quote: Quote): Promise<Outcome> {
  const field = faultIn(quote);
  if (field) return { kind: 'refused', refusal: { kind: 'invalid', field } };

  let response: Response | undefined;
  const quotes = table(async (input, init) => (response = await fetch(input, init)));
  const { status, error, data } = await quotes
    .upsert(quote, { onConflict: 'id', ignoreDuplicates: true })
    .abortSignal(AbortSignal.timeout(TIME_OUT))
    .select();

  // A browser's words for a failed fetch differ ('Load failed', 'NetworkError…'): only what came back counts.
  if (!response || !isJson(response)) return unreachable(response);
  if (status === 201 && Array.isArray(data))
    return data.length > 0 ? stored(data[0], response) : storedBefore(quote, response);
  if (!error || status < 400 || status === 408 || status === 425 || status === 429 || status >= 500) {
    return unreachable(response);
  }
  if (error.code === '23505') {
    if (error.message.includes('quotes_pkey')) return storedBefore(quote, response);
    return { kind: 'refused', refusal: { kind: 'known' } };
  }
  // A site that is newer than its database has more to say than that knows; the lead itself must arrive.
  const bare = withoutBeside(quote);
  if (error.code === 'PGRST204' && Object.keys(bare).length < Object.keys(quote).length) return deliver(bare);
  if (CORRECTABLE.test(error.code)) {
    return { kind: 'refused', refusal: { kind: 'rejected', code: error.code, message: error.message } };
  }
  return { kind: 'access-denied' };
}

/** Reads the row that an earlier try left, which only the phone that knows its id may see. */
async function storedBefore(quote: Quote, answer: Response): Promise<Outcome> {
  const { data } = await table(fetch)
    .select('*')
    // In a header and not in the address: whoever reads a server's log must not read the row.
    .setHeader('x-submission-id', quote.id)
    .retry(false)
    .abortSignal(AbortSignal.timeout(READ_BACK_TIME_OUT));
  const row = data?.find(({ id }) => id === quote.id);
  if (row && !sameQuote(row, quote)) return { kind: 'refused', refusal: { kind: 'superseded' } };
  return stored(row, answer);
}

/** The server's clock dates the receipt, whatever the phone's says. */
function stored(row: Row | undefined, answer: Response): Outcome {
  const at = Date.parse(row?.created_at ?? answer.headers.get('date') ?? '');
  return { kind: 'delivered', at: Number.isNaN(at) ? Date.now() : at };
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

type Row = Quote & { created_at: string };
interface Table {
  Row: Row;
  Insert: Quote;
  Update: Quote;
  Relationships: [];
}
interface Schema {
  Tables: { quotes: Table };
  Views: Record<string, never>;
  Functions: Record<string, never>;
}

function table(fetcher: typeof fetch) {
  const url = new URL('/rest/v1/quotes', config.supabaseUrl ?? self.location.origin);
  // The builder alone: the client around it brings schemas and functions that a phone never asks for.
  return new PostgrestQueryBuilder<{}, Schema, Table, 'quotes'>(url, {
    headers: { apikey: config.anonKey, authorization: `Bearer ${config.anonKey}` },
    // A redirect is a captive portal's, and must not carry a visitor's data to another host.
    fetch: (input, init) => fetcher(input, { ...init, redirect: 'error', cache: 'no-store', credentials: 'omit' }),
  });
}
