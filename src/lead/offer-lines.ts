import * as z from 'zod/mini';
import type { Price } from './offer.ts';
import { isRecord, oneOf, readShape, readValidParts, type Valid } from './validation.ts';

export const CHARGES = ['flete', 'combustible', 'seguridad', 'manejo', 'aduana', 'entrega', 'otro'] as const;
export const CHARGED_PER = ['kilo', 'embarque', 'dia'] as const;
export const MOST_LINES = 12;
export const MOST_DAYS = 365;
export const LONGEST_NAME = 40;
export const LONGEST_SOURCE = 60;

/** Currencies with an exchange rate in pesos. */
export const RATED = ['USD', 'CNY'] as const;

const timeText = z.string().check(z.refine((time) => !Number.isNaN(Date.parse(time))));
const positive = z.number().check(z.refine((amount) => amount > 0));
const charge = { kind: oneOf(CHARGES), per: oneOf(CHARGED_PER), amount: positive };
/** `days`: number of days of a charge by the day. `name`: name of a charge of kind 'otro'. */
const more = { days: positive, name: z.string() };

export type Line = Valid<typeof charge> & { readonly [Name in keyof typeof more]?: Valid<typeof more>[Name] };

/**
 * Reads the charges of an offer. If one of them is unreadable, the result is undefined, because the sum of the others
 * is not the price.
 */
export function readLines(stored: unknown): readonly Line[] | undefined {
  if (!Array.isArray(stored) || stored.length === 0) return undefined;
  const lines = stored.flatMap((line) => {
    const read = readShape(charge, line);
    return read && isRecord(line) ? { ...read, ...readValidParts(more, line) } : [];
  });
  return lines.length === stored.length ? lines : undefined;
}

const facts = {
  /** Value of the offer; if the price is per kilo, its value for one month. */
  total: positive,
  pesos: positive,
  /**
   * Exchange rate: pesos for one unit of the offer's currency. `source` and `day` say where the rate was published and
   * when.
   */
  rate: positive,
  source: z.string(),
  day: z.string(),
  /** Times of the server's clock: when the customer accepted, and when the acceptance arrived. */
  accepted: timeText,
  received: timeText,
};

/** Parts of an offer that the server computed in the database view quote_words. */
export type OfferFacts = { readonly [Name in keyof typeof facts]?: Valid<typeof facts>[Name] } & {
  readonly lines?: readonly Line[] | undefined;
};

export const readOfferFacts = (stored: unknown): OfferFacts =>
  isRecord(stored) ? { ...readValidParts(facts, stored), lines: readLines(stored['lines']) } : {};

/** True for an exchange rate written as a decimal number with at most four decimals. */
export const isRate = (text: string): boolean => /^\d{1,4}(\.\d{1,4})?$/.test(text) && Number(text) > 0;

// Sums are computed in cents, because 0.1 + 0.2 is 0.30000000000000004. The database function private.offer_sum
// computes the same sums.

const centsOf = (amount: number) => Math.round(amount * 100);

/**
 * Returns the factor by which a charge is multiplied: its days, the kilos of the offer, or 1. In an offer priced per
 * kilo, a charge per kilo is part of that price, so its factor is 1.
 */
export const quantityOf = ({ per, days = 1 }: Line, pricedPer: Price['per'], kilos: number): number =>
  per === 'dia' ? days : per === 'kilo' && pricedPer === 'total' ? kilos : 1;

export const lineTotal = (line: Line, pricedPer: Price['per'], kilos: number): number =>
  (centsOf(line.amount) * quantityOf(line, pricedPer, kilos)) / 100;

export const offerSum = (lines: readonly Line[], pricedPer: Price['per'], kilos: number): number =>
  lines.reduce((sum, line) => sum + centsOf(lineTotal(line, pricedPer, kilos)), 0) / 100;

/** Returns the value of an offer; if the price is per kilo, its value for one month. */
export const offerTotal = ({ amount, per }: Price, kilos: number): number =>
  per === 'kilo' ? (centsOf(amount) * kilos) / 100 : amount;

/**
 * Converts an amount to pesos, rounded to cents; half a cent is rounded up. BigInt is needed because the product may
 * exceed 2 ** 53.
 */
export function inPesos(total: number, rate: number): number {
  const product = BigInt(centsOf(total)) * BigInt(Math.round(rate * 10_000));
  return Number((product + BigInt(5000)) / BigInt(10_000)) / 100;
}

/** Writes a charge as text: 'flete 3.50/kilo', 'manejo 80.00/dia × 3', 'otro (fumigación) 45.00/embarque'. */
export const lineAsText = ({ kind, name, amount, per, days }: Line): string =>
  [kind, name && `(${name})`, `${amount.toFixed(2)}/${per}`, days && `× ${days}`].filter(Boolean).join(' ');
