import { mainWords, type Bilingual } from '../content/bilingual.ts';
import { desk as words } from '../content/desk.ts';
import { fieldWords, type FieldWords } from '../content/fields.ts';
import { fields, type Field } from '../lead/fields.ts';
import { readFolio } from '../lead/folio.ts';
import type { LeadRow as Lead } from '../lead/rows.ts';

export type Status = Lead['status'];
export type { Lead };

export const FILTERS = ['open', 'mine', 'answered', 'late', 'closed'] as const;
export type Filter = (typeof FILTERS)[number];

export function fits(lead: Lead, filter: Filter, me: string, now: number): boolean {
  switch (filter) {
    case 'open':
      return lead.open;
    case 'mine':
      return lead.assignee === me && (lead.open || lead.status === 'respondida');
    case 'answered':
      return !lead.open && lead.status === 'respondida';
    case 'late':
      return isLate(lead, now);
    case 'closed':
      return !lead.open && lead.status !== 'respondida';
  }
}

/** A late answer stays late. */
function isLate(lead: Lead, now: number): boolean {
  const { due, wasLate } = timesOf(lead);
  return (lead.open && now >= due) || (wasLate && counts(lead));
}

/** Recovered leads are in no figure: the answer that they had before the server lost them is unknown. */
export const counts = ({ entregada }: Lead): boolean => !entregada;

/** Was its first answer there when it was promised? */
export const isInTime = ({ first_answer_at, promised_at }: Lead): boolean =>
  first_answer_at !== null && Date.parse(first_answer_at) <= Date.parse(promised_at);

export const isClosed = ({ status }: Pick<Lead, 'status'>): boolean => status === 'ganada' || status === 'perdida';

/** Facts made of each lead once: a thousand of them are looked at for each count, each order and each search. */
function perLead<Made extends object>(make: (lead: Lead) => Made): (lead: Lead) => Made {
  const known = new WeakMap<Lead, Made>();
  return (lead) => {
    const made = known.get(lead) ?? make(lead);
    known.set(lead, made);
    return made;
  };
}

const timesOf = perLead((lead) => ({
  asked: Date.parse(lead.asked_at),
  due: Date.parse(lead.due_at),
  wasLate: lead.first_answer_at !== null && !isInTime(lead),
}));

/** The order: those who wait, by the time left; then the rest, the latest first. */
export function byUrgency(one: Lead, other: Lead): number {
  if (one.open !== other.open) return one.open ? -1 : 1;
  if (!one.open) return other.updated_at < one.updated_at ? -1 : 1;
  return timesOf(one).asked - timesOf(other).asked || (one.quote_id < other.quote_id ? -1 : 1);
}

const AMBER = 30 * 60_000;
const MINUTE = 60_000;

interface Clock {
  readonly tone: 'calm' | 'soon' | 'late' | 'done' | 'none';
  readonly words: Bilingual;
}

export function clockOf(lead: Lead, now: number): Clock {
  const { clock } = words;
  const { open, first_answer_at, created_at, replaced_by } = lead;
  if (open) {
    const left = timesOf(lead).due - now;
    // Whole minutes that are left: 0 is late.
    const tone = left <= 0 ? 'late' : left <= AMBER ? 'soon' : 'calm';
    return { tone, words: left <= 0 ? clock.late(duration(-left)) : clock.left(duration(left)) };
  }
  if (!first_answer_at) return { tone: 'none', words: replaced_by ? clock.replaced : clock.unanswered };
  const took = duration(Date.parse(first_answer_at) - Date.parse(created_at));
  return isLate(lead, now) ? { tone: 'late', words: clock.tookLate(took) } : { tone: 'done', words: clock.took(took) };
}

/** Where it stands, in a word: what its sender replied, where that waits. */
export function standingOf({ reply_waiting, reply_verdict, accepted_state, status }: Lead): Bilingual {
  if (!reply_waiting)
    return accepted_state === 'reservada' && status === 'ganada' ? words.offer.states.reservada : words.status[status];
  if (accepted_state === 'aceptada') return words.offer.acceptedReply;
  if (reply_verdict === 'sinoferta') return words.offer.claims;
  return reply_verdict && reply_verdict !== 'repetida' && reply_verdict !== 'vale'
    ? words.offer.asksOld
    : words.replyWaits;
}

export function duration(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / MINUTE);
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60)];
  if (days > 0) return words.days(days, hours % 24);
  return hours > 0 ? words.hours(hours, minutes % 60) : words.minutes(minutes);
}

const thousands = new Intl.NumberFormat('es-MX');
/** What was not said is a dash. */
const UNKNOWN = { es: '—', en: '—' };
export const kilosOf = ({ peso }: Pick<Lead, 'peso'>): Bilingual =>
  peso === null ? UNKNOWN : words.kilos(thousands.format(peso));
export const cargoOf = ({ tipo_carga }: Lead): string =>
  tipo_carga === null ? '' : mainWords(fieldWords.tipo_carga.choices[tipo_carga]).toLowerCase();

/** A weight and a choice are said in our words, whatever else in those of who asked. */
export const isOurs = (field: Field): boolean => Boolean(fields[field].most ?? fields[field].choices);

export function fieldInWords(lead: Lead, field: Field): string {
  if (field === 'peso') return mainWords(kilosOf(lead));
  const { choices }: FieldWords = fieldWords[field];
  const value = lead[field] ?? '';
  if (!value) return mainWords(UNKNOWN);
  return choices ? mainWords(choices[value]!).toLowerCase() : value;
}

const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
const digits = (text: string) => text.replaceAll(/\D/g, '');
const letters = (text: string) => plain(text).replaceAll(/[^\da-z]/g, '');

const searchedOf = perLead(({ nombre, empresa, email, telefono, folio }) => ({
  text: plain([nombre, empresa, email].join('\n')),
  phone: digits(telefono),
  folio: letters(folio),
}));

/** Every word somewhere, or the digits in the phone, or the folio as it was heard, whole or its beginning. */
export function searchFor(typed: string): (lead: Lead) => boolean {
  const folioLetters = letters(readFolio(typed) ?? '');
  const parts = plain(typed).split(/\s+/).filter(Boolean);
  // The same with and without +52.
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
