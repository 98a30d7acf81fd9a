import { lineTotal, quantityOf, type Line, type OfferFacts } from '../lead/offer-lines.ts';
import type { Price } from '../lead/offer.ts';
import type { Bilingual } from './bilingual.ts';
import { charges as words } from './charges.ts';
import { dayInWords } from './dates.ts';
import { amountInWords } from './prices.ts';
import { joined } from './sentences.ts';

/**
 * Returns the name of a charge, such as 'Combustible'. A charge of kind 'otro' has a name of its own, such as
 * 'Fumigación'.
 */
export const chargeInWords = ({ kind, name }: Pick<Line, 'kind' | 'name'>): Bilingual =>
  name ? asItIs(name) : words.kinds[kind];

const asItIs = (text: string): Bilingual => ({ es: text, en: text });

/** Returns the quantity of a charge per kilo or per day: '250 kg', '3 días'; undefined for other charges. */
export function quantityInWords(line: Line, { per }: Pick<Price, 'per'>, kilos: number): Bilingual | undefined {
  const quantity = quantityOf(line, per, kilos);
  if (line.per === 'dia') return words.days(quantity);
  return line.per === 'kilo' && per === 'total' ? asItIs(`${quantity.toLocaleString('es-MX')} kg`) : undefined;
}

/** Writes a charge as a sentence: 'Flete aéreo: US $3.50 por kilo × 250 kg = US $875.00'. */
export function lineInWords(line: Line, { per, currency }: Price, kilos: number): Bilingual {
  const price = asItIs(amountInWords({ amount: line.amount, currency }));
  const priced = joined([joined([chargeInWords(line), price], ': '), words.per[line.per]], ' ');
  const quantity = quantityInWords(line, { per }, kilos);
  const total = asItIs(amountInWords({ amount: lineTotal(line, per, kilos), currency }));
  return quantity ? joined([joined([priced, quantity], ' × '), total], ' = ') : priced;
}

const rate = new Intl.NumberFormat('es-MX', { minimumFractionDigits: 4 });

/** Writes an exchange rate, in pesos for a dollar or yuan: 'MX $17.0638'. */
export const rateInWords = (pesos: number): string => `MX $${rate.format(pesos)}`;

/** Writes the value of an offer in pesos, with the exchange rate and its day; undefined without a rate. */
export function pesosInWords(
  { pesos, rate: pesosPerUnit, source, day }: OfferFacts,
  currency: Price['currency'],
): Bilingual | undefined {
  if (currency === 'MXN' || pesos === undefined || pesosPerUnit === undefined || !source || !day) return undefined;
  const amount = amountInWords({ amount: pesos, currency: 'MXN' });
  // With 0 as the present time, `dayInWords` writes the year too: the offer may be read years later, and the text must
  // still say which day is meant.
  return words.pesos(amount, rateInWords(pesosPerUnit), words.units[currency], source, dayInWords(day, 0));
}
