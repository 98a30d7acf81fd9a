import { fields, REQUIRED } from '../lead/fields.ts';
import { readQuote, type Quote } from '../lead/quote.ts';
import { isRecord } from '../lead/shape.ts';
import { PRESENTED, table } from './delivery.ts';

/** A quote that was sent by another phone, and may be looked at on this one. */
export interface Linked {
  readonly quote: Quote;
  /** When it was delivered, by the server's clock. */
  readonly at: number;
  readonly promisedAt: number;
  /** What closed its link last. */
  readonly closing: string | undefined;
}

/** What a row of `quote_links` holds. Of a call the sales team wrote down what it knew: the rest is empty. */
function linkedIn(row: unknown): Linked | undefined {
  if (!isRecord(row)) return undefined;
  const { created_at, promised_at, closing, ...columns } = row;
  const known = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== null && value !== false));
  const empty = Object.fromEntries(REQUIRED.map((field) => [field, fields[field].most ? 0 : '']));
  const quote = readQuote({ ...empty, ...known });
  const at = Date.parse(String(created_at));
  const promisedAt = Date.parse(String(promised_at)) || 0;
  return quote ? { quote, at, promisedAt, closing: (closing as string | null) ?? undefined } : undefined;
}

/** Quotes of these keys of links, or of these ids; undefined if our server did not answer. None: closed, blocked or erased. */
export async function fetchLinked(shown: readonly string[]): Promise<readonly Linked[] | undefined> {
  const { data } = await table('quote_links', { [PRESENTED]: shown.join() }).select('*');
  return Array.isArray(data) ? data.flatMap((row) => linkedIn(row) ?? []) : undefined;
}
