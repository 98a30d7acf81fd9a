import { fields, REQUIRED } from '../lead/fields.ts';
import { readQuote, type Quote } from '../lead/quote.ts';
import { isRecord } from '../lead/validation.ts';
import { ID_HEADER, table } from './delivery.ts';

/** Quote that another phone sent and that was opened on this phone by a share link. */
export interface LinkedQuote {
  readonly quote: Quote;
  readonly at: number;
  readonly promisedAt: number;
  /** Id of the message that last revoked the share link. The key of the next share link is derived from this id. */
  readonly closing: string | undefined;
}

/**
 * Reads a row of `quote_links`. A quote that the sales team recorded from a phone call may lack fields, which become
 * empty texts.
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
 * Fetches quotes by the keys of share links or by quote ids; undefined if the server did not respond. Blocked and
 * erased quotes, and quotes whose share link was revoked, are not in the result.
 */
export async function fetchLinkedQuotes(keys: readonly string[]): Promise<readonly LinkedQuote[] | undefined> {
  const { data } = await table('quote_links', { [ID_HEADER]: keys.join() }).select('*');
  return Array.isArray(data) ? data.flatMap((row) => readLinkedQuote(row) ?? []) : undefined;
}
