import { mainWords, type Bilingual } from '../../content/bilingual.ts';
import { deskLead as words } from '../../content/desk-lead.ts';
import { deskTeam } from '../../content/desk-team.ts';
import { fieldWords, type FieldWords } from '../../content/fields.ts';
import { stepNames } from '../../content/step-names.ts';
import { fields, type Field } from '../../lead/fields.ts';
import type { LeadRow as Lead } from '../../lead/rows.ts';

export type Status = Lead['status'];
export type { Lead };

/** True for an open lead past its deadline, and for a lead that was answered late. */
export function isLate(lead: Lead, now: number): boolean {
  const { due, wasLate } = timesOf(lead);
  return (lead.open && now >= due) || (wasLate && counts(lead));
}

/**
 * True if the figures count the lead. They leave out imported leads, and leads that a phone sent again after the server
 * was restored, because the time of their first answer is unknown.
 */
export const counts = ({ entregada, importada }: Lead): boolean => !entregada && !importada;

/** True if the first answer came within the promised time. */
export const isInTime = ({ first_answer_at, promised_at }: Lead): boolean =>
  first_answer_at !== null && Date.parse(first_answer_at) <= Date.parse(promised_at);

export const isClosed = ({ status }: Pick<Lead, 'status'>): boolean => status === 'ganada' || status === 'perdida';

/** Caches a value computed from a lead, because counting, sorting and searching each need it for a thousand leads. */
export function perLead<Made extends object>(make: (lead: Lead) => Made): (lead: Lead) => Made {
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

/** True if the customer has accepted an offer and the team has not recorded yet whether it is booked. */
export const isToBook = (lead: Lead): boolean =>
  lead.accepted_state === 'aceptada' && !lead.replaced_by && !isClosed(lead);

/**
 * Order of the list: accepted offers to book, then open leads by the time left, then all others, last changed first.
 */
export function byUrgency(one: Lead, other: Lead): number {
  if (isToBook(one) !== isToBook(other)) return isToBook(one) ? -1 : 1;
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
  const { open, first_answer_at, created_at } = lead;
  if (open) {
    const left = timesOf(lead).due - now;
    const tone = left <= 0 ? 'late' : left <= AMBER ? 'soon' : 'calm';
    return { tone, words: left <= 0 ? clock.late(duration(-left)) : clock.left(duration(left)) };
  }
  if (!first_answer_at) return { tone: 'none', words: clock.unanswered };
  const took = duration(Date.parse(first_answer_at) - Date.parse(created_at));
  return isLate(lead, now) ? { tone: 'late', words: clock.tookLate(took) } : { tone: 'done', words: clock.took(took) };
}

interface Standing {
  readonly tone: 'accepted' | 'asked' | 'new' | 'busy' | 'done';
  readonly words: Bilingual;
}

/**
 * Returns the status of a lead, as the list shows it. A customer's reply that waits for an answer is shown instead of
 * the status.
 */
export function standingOf(lead: Lead): Standing {
  const { standing, status: names } = words;
  const { reply_waiting, reply_verdict, reply_to, status, accepted_state, replaced_by, step, importada } = lead;
  if (replaced_by) return { tone: 'done', words: standing.replaced };
  if (isToBook(lead)) return { tone: 'accepted', words: reply_waiting ? standing.accepted : standing.toBook };
  if (reply_waiting) {
    if (reply_verdict === 'sinoferta') return { tone: 'asked', words: standing.claims };
    const isOld = reply_verdict && reply_verdict !== 'repetida' && reply_verdict !== 'vale';
    const asks = reply_to === 'pregunta' ? standing.replied : standing.asked;
    return { tone: 'asked', words: isOld ? standing.wantsOld : asks };
  }
  if (accepted_state === 'reservada' && status === 'ganada') {
    return { tone: 'done', words: step ? stepNames[step] : standing.booked };
  }
  if (status === 'nueva' && importada) return { tone: 'done', words: standing.imported };
  const tone = status === 'nueva' ? 'new' : status === 'tomada' ? 'busy' : 'done';
  return { tone, words: names[status] };
}

export const ownerOf = ({ assignee, assignee_name }: Lead, me: string): string => {
  if (assignee === null) return mainWords(words.unassigned);
  return assignee === me ? mainWords(words.mine) : (assignee_name ?? mainWords(deskTeam.colleague));
};

export const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .map((part) => part.charAt(0))
    .filter((letter) => /\p{L}/u.test(letter))
    .filter((_, at, all) => at === 0 || at === all.length - 1)
    .join('')
    .toUpperCase();

export function duration(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / MINUTE);
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60)];
  if (days > 0) return words.days(days, hours % 24);
  return hours > 0 ? words.hours(hours, minutes % 60) : words.minutes(minutes);
}

const thousands = new Intl.NumberFormat('es-MX');
const UNKNOWN = { es: '—', en: '—' };
export const kilosOf = ({ peso }: Pick<Lead, 'peso'>): Bilingual =>
  peso === null ? UNKNOWN : words.kilos(thousands.format(peso));
export const cargoOf = ({ tipo_carga }: Lead): string =>
  tipo_carga === null ? '' : mainWords(fieldWords.tipo_carga.choices[tipo_carga]).toLowerCase();

/**
 * True for a weight or a choice, which the desk shows in its own words. Any other field is shown in the customer's
 * words.
 */
export const isOurs = (field: Field): boolean => Boolean(fields[field].most ?? fields[field].choices);

export function fieldInWords(lead: Lead, field: Field): string {
  if (field === 'peso') return mainWords(kilosOf(lead));
  const { choices }: FieldWords = fieldWords[field];
  const value = lead[field] ?? '';
  if (!value) return mainWords(UNKNOWN);
  return choices ? mainWords(choices[value]!).toLowerCase() : value;
}
