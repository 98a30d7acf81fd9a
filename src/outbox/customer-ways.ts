import { ID_HEADER, table } from './delivery.ts';

/** Whether the server sends by WhatsApp, and whether the sender of a quote wants it; null without a choice. */
export interface CustomerWays {
  readonly whatsapp: boolean;
  readonly wanted: boolean | null;
}

/** Fetches the ways in which a quote can be answered; undefined if the server did not respond. */
export async function fetchWays(quoteId: string): Promise<CustomerWays | undefined> {
  const { data } = await table('customer_ways', { [ID_HEADER]: quoteId }).select('*');
  return Array.isArray(data) ? data[0] : undefined;
}
