import { readFolio } from '../../lead/folio.ts';
import { mainWords } from '../../content/bilingual.ts';
import { isClosed, isLate, isToBook, perLead, standingOf, type Lead } from '../lead/lead.ts';

type Currency = NonNullable<Lead['offered_currency']>;

export const FILTERS = ['open', 'toBook', 'mine', 'unassigned', 'answered', 'late', 'closed'] as const;
export type Filter = (typeof FILTERS)[number];

export function fits(lead: Lead, filter: Filter, me: string, now: number): boolean {
  switch (filter) {
    case 'open':
      return lead.open;
    case 'toBook':
      return isToBook(lead);
    case 'mine':
      // The filter 'mine' shows this person's leads until they are closed or replaced. It also shows leads that are not
      // `open`, for example an imported lead without a waiting reply.
      return lead.assignee === me && (lead.open || (!isClosed(lead) && !lead.replaced_by));
    case 'unassigned':
      return lead.open && lead.assignee === null;
    case 'answered':
      return !lead.open && lead.status === 'respondida';
    case 'late':
      return isLate(lead, now);
    case 'closed':
      return !lead.open && lead.status !== 'respondida';
  }
}

export const ORDERS = ['urgency', 'received', 'weight', 'name'] as const;
export type Order = (typeof ORDERS)[number];

const COMPARE: Readonly<Record<Exclude<Order, 'urgency'>, (one: Lead, other: Lead) => number>> = {
  received: (one, other) => Date.parse(other.created_at) - Date.parse(one.created_at),
  weight: (one, other) => (other.peso ?? 0) - (one.peso ?? 0),
  name: (one, other) => one.nombre.localeCompare(other.nombre, 'es'),
};

export interface Refinement {
  readonly order: Order;
  /** Status in the words of the list; empty for all. */
  readonly status: string;
  readonly cargo: string;
  readonly owner: string;
  /** Minimum kilos a month, as typed. */
  readonly from: string;
  readonly to: string;
}
export const UNREFINED: Refinement = { order: 'urgency', status: '', cargo: '', owner: '', from: '', to: '' };

export function refine(leads: readonly Lead[], refinement: Refinement): readonly Lead[] {
  const { order, status, cargo, owner } = refinement;
  const least = Number(digits(refinement.from)) || 0;
  const most = Number(digits(refinement.to)) || Infinity;
  // If a weight is typed, leads without a weight are left out.
  const isWeighed = least > 0 || most < Infinity;
  const found = leads.filter(
    (lead) =>
      (!status || mainWords(standingOf(lead).words) === status) &&
      (!cargo || lead.tipo_carga === cargo) &&
      (!owner || lead.assignee === owner) &&
      (!isWeighed || (lead.peso !== null && lead.peso >= least && lead.peso <= most)),
  );
  return order === 'urgency' ? found : found.toSorted(COMPARE[order]);
}

/** Adds up leads: their kilos a month, and the value of their offers by currency. */
export function sumsOf(leads: readonly Lead[]) {
  const money = new Map<Currency, number>();
  let kilos = 0;
  for (const { peso, offered, offered_currency: currency } of leads) {
    kilos += peso ?? 0;
    if (offered !== null && currency) money.set(currency, (money.get(currency) ?? 0) + offered);
  }
  return { kilos, money: [...money] } as const;
}

const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
const digits = (text: string) => text.replaceAll(/\D/g, '');
const letters = (text: string) => plain(text).replaceAll(/[^\da-z]/g, '');

const searchedOf = perLead(({ nombre, empresa, email, telefono, folio }) => ({
  text: plain([nombre, empresa, email].join('\n')),
  phone: digits(telefono),
  folio: letters(folio),
}));

/**
 * Returns the search of the list. A lead is found by all typed words, by a part of its phone number, or by the
 * beginning of its folio.
 */
export function searchFor(typed: string): (lead: Lead) => boolean {
  const folioLetters = letters(readFolio(typed) ?? '');
  const parts = plain(typed).split(/\s+/).filter(Boolean);
  // The last ten digits are compared, because a stored number may have +52 before them or not.
  const number = digits(typed).slice(-10);
  const start = letters(typed);
  const isNumber = number.length >= 3 && /^[\d\s()+.-]+$/.test(typed);
  return (lead) => {
    const { text, phone, folio: its } = searchedOf(lead);
    // A text that looks like a folio may be a name, so it is also compared with names below.
    if (its === folioLetters || (isNumber && phone.includes(number))) return true;
    if (start.length >= 3 && (its.startsWith(start) || its.startsWith(`ap${start}`))) return true;
    return parts.every((part) => text.includes(part));
  };
}
