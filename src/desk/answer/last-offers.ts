import { useEffect } from 'react';
import type { Price } from '../../lead/offer.ts';
import { dayInTijuana } from '../../lead/tijuana.ts';
import { createStore } from '../../ui/create-store.ts';
import { useStore } from '../../ui/store.ts';
import { leadById } from '../api/lead-feed.ts';
import { readLastOffers, type PricedAnswer } from '../api/prices.ts';
import { serverNow } from '../api/server-clock.ts';
import type { Lead } from '../lead/lead.ts';

const DAY = 86_400_000;
const USUAL_DAYS = 7;
const NO_OFFERS: readonly PricedAnswer[] = [];

const lastOffers = createStore<readonly PricedAnswer[]>(NO_OFFERS);

/** Newest offers of the whole team. They are read again when another lead opens, or when this lead gets an answer. */
export function useLastOffers({ quote_id, last_answer }: Lead): readonly PricedAnswer[] {
  useEffect(() => {
    // If a read fails, the offers that were read before stay.
    void readLastOffers().then(lastOffers.set, () => undefined);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another lead, or an answer to this lead, reads again
  }, [quote_id, last_answer]);
  return useStore(lastOffers);
}

export const forgetLastOffers = (): void => lastOffers.set(NO_OFFERS);

interface Proposal {
  readonly price: Price;
  readonly lines?: unknown;
  readonly isOfCustomer: boolean;
}

const contactsOf = ({ telefono, email }: Lead) => [telefono.replaceAll(/\D/g, '').slice(-10), email].filter(Boolean);

/** Price to propose: the last one offered to this customer, otherwise the last one for the same cargo. */
export function proposedPrice(lead: Lead, offers: readonly PricedAnswer[]): Proposal | undefined {
  const contacts = contactsOf(lead);
  const priced = offers.flatMap((offer) => {
    const of = leadById(offer.quote_id);
    const { price: amount, price_for: per, currency, lines } = offer;
    return of && amount !== null && per && currency ? [{ of, lines, price: { amount, per, currency } }] : [];
  });
  const toCustomer = priced.find(({ of }) => contactsOf(of).some((contact) => contacts.includes(contact)));
  const found = toCustomer ?? priced.find(({ of }) => of.tipo_carga !== null && of.tipo_carga === lead.tipo_carga);
  return (
    found && { price: found.price, ...(found.lines ? { lines: found.lines } : {}), isOfCustomer: found === toCustomer }
  );
}

/** Returns the most common validity of the offers, in days; USUAL_DAYS if no validity occurs twice. */
export function usualDays(offers: readonly PricedAnswer[]): number {
  const counts = new Map<number, number>();
  for (const { created_at, valid_until } of offers) {
    const days = valid_until ? daysBetween(dayInTijuana(Date.parse(created_at)), valid_until) : 0;
    if (days > 0 && days <= 60) counts.set(days, (counts.get(days) ?? 0) + 1);
  }
  const [most] = [...counts].toSorted(([, one], [, other]) => other - one);
  return most && most[1] > 1 ? most[0] : USUAL_DAYS;
}

const noonOf = (day: string) => Date.parse(`${day}T20:00Z`);
const daysBetween = (from: string, to: string) => Math.round((noonOf(to) - noonOf(from)) / DAY);

/** Returns the day that is `days` days after today in Tijuana, where the sales team works, like '2026-11-28'. */
export const dayAhead = (days: number): string => dayInTijuana(noonOf(dayInTijuana(serverNow())) + days * DAY);

export function endOfMonth(): string {
  const [year, month] = dayInTijuana(serverNow()).split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}
