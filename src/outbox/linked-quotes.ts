import { fields, REQUIRED } from '../lead/fields.ts';
import { readQuote, type Quote } from '../lead/quote.ts';
import { isRecord } from '../lead/validation.ts';
import { ID_HEADER, table } from './delivery.ts';

/** Quote that another phone sent and a link opened on this one. */
export interface LinkedQuote {
  readonly quote: Quote;
  readonly at: number;
  readonly promisedAt: number;
  /** Id of the message that last revoked the link; part of the key of a new link. */
  readonly closing: string | undefined;
}

/**
 * Reads a row of `quote_links`. The sales team may enter a phone call with fields left open, which become empty texts.
 */
function readLinkedQuote(row: unknown): LinkedQuote | undefined {
  if (!isRecord(row)) return undefined;
  const { created_at, promised_at, closing, ...columns } = row;
  const values = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== null && value !== false));
  const emptyValues = Object.fromEntries(REQUIRED.map((field) => [field, fields[field].most ? 0 : '']));
  const quote = readQuote({ ...emptyValues, ...values });
  const at = Date.parse(String(created_at));
  const promisedAt = Date.parse(String(promised_at)) || 0;
  return quote ? { quote, at, promisedAt, closing: (closing as string | null) ?? undefined } : undefined;
}

/**
 * Fetches quotes by link keys or ids; undefined if the server did not respond. The result has no
 * blocked or erased quotes, and none whose link was revoked.
 */
export async function fetchLinkedQuotes(keys: readonly string[]): Promise<readonly LinkedQuote[] | undefined> {
  const { data } = await table('quote_links', { [ID_HEADER]: keys.join() }).select('*');
  return Array.isArray(data) ? data.flatMap((row) => readLinkedQuote(row) ?? []) : undefined;
}
