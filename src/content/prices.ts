import type { Price } from '../lead/offer.ts';
import { answers as words } from './answers.ts';
import type { Bilingual } from './bilingual.ts';

const money = new Intl.NumberFormat('es-MX', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** 'US $9,840': a sum, which is rounded. */
export const moneyInWords = (amount: number, currency: Price['currency']): string =>
  words.currencies[currency] + Math.round(amount).toLocaleString('es-MX');

export function priceInWords({ amount, currency, per }: Price, kilos?: number | null): Bilingual {
  const price = words.currencies[currency] + money.format(amount);
  if (!kilos) return words.per[per](price);
  const weight = kilos.toLocaleString('es-MX');
  return per === 'kilo' ? words.forKilos.kilo(words.per.kilo(price), weight) : words.forKilos.total(price, weight);
}
