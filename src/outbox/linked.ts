import { byField, fields } from '../lead/fields.ts';
import { readQuote, type Quote } from '../lead/quote.ts';
import { isRecord } from '../lead/shape.ts';
import { PRESENTED, table } from './delivery.ts';

/** A quote that was sent by another phone, and may be looked at on this one. */
export interface Linked {
  readonly quote: Quote;
  /** When it was delivered, by the server's clock. */
  readonly at: number;
  /** What closed its link last. */
  readonly closing: string | undefined;
}

/** What a row of `quote_links` holds. Of a call the sales team wrote down what it knew: the rest is empty. */
function linkedIn(row: unknown): Linked | undefined {
  if (!isRecord(row)) return undefined;
  const said = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null && value !== false));
  const quote = readQuote({ ...byField((field) => (fields[field].most ? 0 : '')), ...said });
  const at = Date.parse(String(row['created_at']));
  return quote ? { quote, at, closing: said['closing'] as string | undefined } : undefined;
}

/** Quotes of these keys of links, or of these ids; undefined if our server did not answer. None: closed, blocked or erased. */
export async function fetchLinked(shown: readonly string[]): Promise<readonly Linked[] | undefined> {
  const { data } = await table('quote_links', { [PRESENTED]: shown.join() }).select('*');
  return Array.isArray(data) ? data.flatMap((row) => linkedIn(row) ?? []) : undefined;
}
