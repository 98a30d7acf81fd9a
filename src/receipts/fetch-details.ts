import { readDetailsRow, type Details } from '../lead/details.ts';
import { readPaperRow, type PaperRow } from '../lead/papers.ts';
import { ID_HEADER, table } from '../outbox/delivery.ts';

/**
 * Fetches the newest shipment details of a quote, sent by any phone: null if nobody has sent any, undefined if the
 * server did not respond.
 */
export async function fetchDetails(id: string): Promise<Details | null | undefined> {
  const { data } = await table('quote_details', { [ID_HEADER]: id })
    .select('*')
    .eq('quote_id', id)
    .order('pressed_at');
  return Array.isArray(data) ? (readDetailsRow(data.at(-1))?.details ?? null) : undefined;
}

/** Fetches the marked states of a quote's shipping documents, oldest first; undefined if the server did not respond. */
export async function fetchPapers(id: string): Promise<readonly PaperRow[] | undefined> {
  const { data } = await table('shipment_papers', { [ID_HEADER]: id })
    .select('id,papel,estado,archivo,pressed_at')
    .eq('quote_id', id)
    .order('pressed_at');
  return Array.isArray(data) ? data.flatMap((row) => readPaperRow(row) ?? []) : undefined;
}
