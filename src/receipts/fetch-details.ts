import { readDetailsRow, type Details } from '../lead/details.ts';
import { ID_HEADER, table } from '../outbox/delivery.ts';

/**
 * Fetches the latest details of a quote, from any phone: null if there are none, undefined if the server did not
 * respond.
 */
export async function fetchDetails(id: string): Promise<Details | null | undefined> {
  const { data } = await table('quote_details', { [ID_HEADER]: id })
    .select('*')
    .eq('quote_id', id)
    .order('pressed_at');
  return Array.isArray(data) ? (readDetailsRow(data.at(-1))?.details ?? null) : undefined;
}
