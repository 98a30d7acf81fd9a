import { readDetailsRow, type Details } from '../lead/details.ts';
import { PRESENTED, table } from '../outbox/delivery.ts';

/** What was said last of the shipment of this quote, here or on another phone; undefined where nothing is known of it. */
export async function fetchDetails(id: string): Promise<Details | undefined> {
  const { data } = await table('quote_details', { [PRESENTED]: id })
    .select('*')
    .eq('quote_id', id)
    .order('pressed_at');
  return readDetailsRow(Array.isArray(data) ? data.at(-1) : undefined)?.details;
}
