import { ID_HEADER, table } from './delivery.ts';

/**
 * `whatsapp`: whether the server can send answers by WhatsApp. `wanted`: whether the exporter asked for that; null
 * before the exporter has chosen.
 */
export interface CustomerWays {
  readonly whatsapp: boolean;
  readonly wanted: boolean | null;
}

/** Fetches whether a quote can be answered by WhatsApp; undefined if the server did not respond. */
export async function fetchWays(quoteId: string): Promise<CustomerWays | undefined> {
  const { data } = await table('customer_ways', { [ID_HEADER]: quoteId }).select('*');
  return Array.isArray(data) ? data[0] : undefined;
}
