import type { Price } from '../lead/offer.ts';
import { answers as words } from './answers.ts';
import type { Bilingual } from './bilingual.ts';

const money = new Intl.NumberFormat('es-MX', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

export const moneyInWords = ({ amount, currency }: Pick<Price, 'amount' | 'currency'>): string =>
  words.currencies[currency] + money.format(amount);

export function priceInWords({ per, ...sum }: Price, kilos?: number | null): Bilingual {
  const price = moneyInWords(sum);
  if (!kilos) return words.per[per](price);
  const weight = kilos.toLocaleString('es-MX');
  return per === 'kilo' ? words.forKilos.kilo(words.per.kilo(price), weight) : words.forKilos.total(price, weight);
}
