import { readRateRow, type RateRow } from '../../lead/rows.ts';
import { backend, rows } from './backend.ts';

/**
 * Number of newest rates that are read. The desk shows only the newest rate of each currency, and there are few
 * currencies.
 */
const LAST = 20;

export const readRates = (): Promise<readonly RateRow[]> =>
  rows(backend.from('exchange_rates').select('*').order('created_at', { ascending: false }).limit(LAST), readRateRow);

export const storeRate = (rate: RateRow & { readonly id: string }): Promise<unknown> =>
  rows(backend.from('exchange_rates').upsert(rate, { onConflict: 'id', ignoreDuplicates: true }).select('id'));
