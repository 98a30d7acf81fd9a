import type { Price } from '../lead/offer.ts';
import { answers as words } from './answers.ts';
import type { Bilingual } from './bilingual.ts';

const money = new Intl.NumberFormat('es-MX', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

export function priceInWords({ amount, currency, per }: Price): Bilingual {
  return words.per[per](words.currencies[currency] + money.format(amount));
}
