import type { Price } from '../lead/offer.ts';
import { answers as words } from './answers.ts';
import type { Bilingual } from './bilingual.ts';

const money = new Intl.NumberFormat('es-MX', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** 'US $9,840': a rounded sum. */
export const moneyInWords = (amount: number, currency: Price['currency']): string =>
  words.currencies[currency] + Math.round(amount).toLocaleString('es-MX');

/** 'US $4.10': a price to the cent. */
export const amountInWords = ({ amount, currency }: Pick<Price, 'amount' | 'currency'>): string =>
  words.currencies[currency] + money.format(amount);

export function priceInWords({ per, ...sum }: Price, kilos?: number | null): Bilingual {
  const price = amountInWords(sum);
  if (!kilos) return words.per[per](price);
  const weight = kilos.toLocaleString('es-MX');
  return per === 'kilo' ? words.forKilos.kilo(words.per.kilo(price), weight) : words.forKilos.total(price, weight);
}
