import { readDetailsRow, type Details } from '../lead/details.ts';
import { ID_HEADER, table } from '../outbox/delivery.ts';

/** What was said last of the shipment of this quote, here or on another phone: null is nothing, undefined was not reached. */
export async function fetchDetails(id: string): Promise<Details | null | undefined> {
  const { data } = await table('quote_details', { [ID_HEADER]: id })
    .select('*')
    .eq('quote_id', id)
    .order('pressed_at');
  return Array.isArray(data) ? (readDetailsRow(data.at(-1))?.details ?? null) : undefined;
}
