import { readHistoryRow, type HistoryRow } from '../../lead/rows.ts';
import { backend, rows } from './backend.ts';

const MOST = 50;

/** Other leads with the same phone or e-mail, newest first. */
export const readHistory = (quote_id: string): Promise<readonly HistoryRow[]> =>
  rows(
    backend
      .from('desk_history')
      .select('*')
      .eq('of_quote', quote_id)
      .order('created_at', { ascending: false })
      .limit(MOST),
    readHistoryRow,
  );

/**
 * Joins a request to another request of the same customer. `word`: message that tells the customer that the two were
 * joined.
 */
export const storeJoin = (quote_id: string, into_quote: string, word: string): Promise<unknown> =>
  rows(backend.from('quote_joins').insert({ quote_id, into_quote, word }));
