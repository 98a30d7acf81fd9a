import type { Price } from '../lead/offer.ts';
import { answers as words } from './answers.ts';
import type { Bilingual } from './bilingual.ts';

const money = new Intl.NumberFormat('es-MX', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Writes a sum of money rounded to whole units: 'US $9,840'. */
export const moneyInWords = (amount: number, currency: Price['currency']): string =>
  words.currencies[currency] + Math.round(amount).toLocaleString('es-MX');

/** Writes a price with cents: 'US $4.10'. */
export const amountInWords = ({ amount, currency }: Pick<Price, 'amount' | 'currency'>): string =>
  words.currencies[currency] + money.format(amount);

export function priceInWords({ per, ...sum }: Price, kilos?: number | null): Bilingual {
  const price = amountInWords(sum);
  if (!kilos) return words.per[per](price);
  const weight = kilos.toLocaleString('es-MX');
  return per === 'kilo' ? words.forKilos.kilo(words.per.kilo(price), weight) : words.forKilos.total(price, weight);
}
