import { readFolio } from '../../lead/folio.ts';
import { isLate, isToBook, perLead, type Lead } from '../lead/lead.ts';

export const FILTERS = ['open', 'toBook', 'mine', 'unassigned', 'answered', 'late', 'closed'] as const;
export type Filter = (typeof FILTERS)[number];

export function fits(lead: Lead, filter: Filter, me: string, now: number): boolean {
  switch (filter) {
    case 'open':
      return lead.open;
    case 'toBook':
      return isToBook(lead);
    case 'mine':
      return lead.assignee === me && (lead.open || lead.status === 'respondida');
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

/** Orders beside the usual one, by urgency. */
export const ORDERS = ['urgency', 'received', 'weight', 'name'] as const;
export type Order = (typeof ORDERS)[number];

const COMPARE: Readonly<Record<Exclude<Order, 'urgency'>, (one: Lead, other: Lead) => number>> = {
  received: (one, other) => Date.parse(other.created_at) - Date.parse(one.created_at),
  weight: (one, other) => (other.peso ?? 0) - (one.peso ?? 0),
  name: (one, other) => one.nombre.localeCompare(other.nombre, 'es'),
};

export interface Narrowing {
  readonly order: Order;
  /** Empty: all. */
  readonly cargo: string;
  readonly owner: string;
}
export const WIDE: Narrowing = { order: 'urgency', cargo: '', owner: '' };

/** The leads of one cargo and one owner, in the chosen order. */
export function narrowed(leads: readonly Lead[], { order, cargo, owner }: Narrowing): readonly Lead[] {
  const found = leads.filter(
    ({ tipo_carga, assignee }) => (!cargo || tipo_carga === cargo) && (!owner || assignee === owner),
  );
  return order === 'urgency' ? found : found.toSorted(COMPARE[order]);
}

const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
const digits = (text: string) => text.replaceAll(/\D/g, '');
const letters = (text: string) => plain(text).replaceAll(/[^\da-z]/g, '');

const searchedOf = perLead(({ nombre, empresa, email, telefono, folio }) => ({
  text: plain([nombre, empresa, email].join('\n')),
  phone: digits(telefono),
  folio: letters(folio),
}));

/** Matches every typed word, or the digits of the phone, or the folio or its beginning. */
export function searchFor(typed: string): (lead: Lead) => boolean {
  const folioLetters = letters(readFolio(typed) ?? '');
  const parts = plain(typed).split(/\s+/).filter(Boolean);
  // With and without +52.
  const number = digits(typed).slice(-10);
  const start = letters(typed);
  const isNumber = number.length >= 3 && /^[\d\s()+.-]+$/.test(typed);
  return (lead) => {
    const { text, phone, folio: its } = searchedOf(lead);
    // Eight letters that happen to be a folio may be a name as well.
    if (its === folioLetters || (isNumber && phone.includes(number))) return true;
    if (start.length >= 3 && (its.startsWith(start) || its.startsWith(`ap${start}`))) return true;
    return parts.every((part) => text.includes(part));
  };
}
