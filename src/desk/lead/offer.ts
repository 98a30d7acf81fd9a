import { answers as phoneWords } from '../../content/answers.ts';
import { mainWords } from '../../content/bilingual.ts';
import { dayInWords } from '../../content/dates.ts';
import { priceInWords } from '../../content/prices.ts';
import type { OfferState } from '../../lead/offer.ts';
import type { AnswerRow, OfferRow } from '../../lead/rows.ts';
import { isPast } from '../../lead/tijuana.ts';
import type { Lead } from './lead.ts';

/** Offer in words, empty without a price: 'US $4.10 por kilo, para 1,200 kg al mes · válida hasta el 28 de noviembre'. */
export function offerOf(
  {
    price,
    price_for: per,
    currency,
    kilos,
    valid_until: day,
  }: Pick<AnswerRow, 'price' | 'price_for' | 'currency' | 'kilos' | 'valid_until'>,
  now: number,
): string {
  return [
    price && per && currency && mainWords(priceInWords({ amount: price, per, currency }, kilos)),
    day && mainWords(phoneWords.validUntil(dayInWords(day, now))),
  ]
    .filter(Boolean)
    .join(' · ');
}

/** Returns the current state of an offer. The stored state does not change when the offer's last day passes. */
export function stateNow({ state }: OfferRow, { valid_until: day }: AnswerRow, now: number): OfferState {
  return state === 'vigente' && day && isPast(day, now) ? 'vencida' : state;
}

/** True for an offer that was withdrawn or expired without an acceptance. */
export const isOver = (state: OfferState): boolean => state === 'retirada' || state === 'vencida';

export const acceptedOf = (lead: Lead, now: number): string =>
  offerOf(
    {
      price: lead.accepted_price,
      price_for: lead.accepted_price_for,
      currency: lead.accepted_currency,
      kilos: lead.accepted_kilos,
      valid_until: lead.accepted_valid_until,
    },
    now,
  );
