import type { Bilingual as Text } from '../../content/bilingual.ts';
import { deskAnswer } from '../../content/desk-answer.ts';
import type { DraftLine } from '../../lead/answer-draft.ts';
import { isPrice } from '../../lead/bounds.ts';
import { isKilos } from '../../lead/fields.ts';
import { CHARGES, MOST_DAYS, MOST_LINES, offerSum, readLines, type Line } from '../../lead/offer-lines.ts';
import { lineOf, plainKilos, plainPrice } from './sending.ts';

const { faults: words } = deskAnswer;

export interface LineFaults {
  readonly amount?: Text;
  readonly days?: Text;
}

const isDays = (typed: string) => /^[1-9]\d{0,2}$/.test(typed.trim()) && Number(typed) <= MOST_DAYS;

export const lineFaults = ({ amount, per, days }: DraftLine): LineFaults => ({
  ...(!isPrice(plainPrice(amount)) && { amount: words.price }),
  ...(per === 'dia' && !isDays(days) && { days: words.days }),
});

/**
 * Returns the sum of the lines as the price of the offer; empty if a line is invalid, or if the sum needs a weight that
 * is missing.
 */
export function sumOf(lines: readonly DraftLine[], per: string, kilos: string): string {
  const weight = plainKilos(kilos);
  const needsWeight = per === 'total' && lines.some((line) => line.per === 'kilo');
  if (lines.some((line) => Object.keys(lineFaults(line)).length > 0) || (needsWeight && !isKilos(weight))) return '';
  return offerSum(lines.map(lineOf), per === 'total' ? 'total' : 'kilo', Number(weight)).toFixed(2);
}

/** Turns stored lines into texts for the fields of the form. */
export const asDraft = (lines: unknown): readonly DraftLine[] =>
  (readLines(lines) ?? []).map(({ kind, per, amount, days = 1, name = '' }: Line) => ({
    kind,
    per,
    amount: amount.toFixed(2),
    days: String(days),
    name,
  }));

const EMPTY = { amount: '', days: '1', name: '' };

/** First lines of an offer: the typed price as freight, and an empty line for fuel. */
export const firstLines = (price: string, per: string): readonly DraftLine[] => {
  const unit = per === 'total' ? 'embarque' : 'kilo';
  return [
    { ...EMPTY, kind: 'flete', per: unit, amount: price },
    { ...EMPTY, kind: 'combustible', per: unit },
  ];
};

/** Adds an empty line of the first kind of charge that the offer does not have yet. */
export function withOneMore(lines: readonly DraftLine[], per: string): readonly DraftLine[] {
  if (lines.length >= MOST_LINES) return lines;
  const kind = CHARGES.find((each) => !lines.some((line) => line.kind === each)) ?? 'otro';
  return [...lines, { ...EMPTY, kind, per: per === 'total' ? 'embarque' : 'kilo' }];
}
