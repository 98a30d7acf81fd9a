import type { RateRow } from '../../lead/rows.ts';
import { createStore } from '../../ui/create-store.ts';
import { useStore } from '../../ui/store.ts';
import { readRates } from '../api/exchange-rates.ts';

const rates = createStore<readonly RateRow[]>([]);

export async function loadRates(): Promise<void> {
  rates.set(await readRates());
}

/** Newest exchange rate of a currency; the server stores it with each new offer. */
export const useRate = (currency: string): RateRow | undefined =>
  useStore(rates).find((rate) => rate.currency === currency);
