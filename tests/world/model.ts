import { folioOf } from '../../src/lead/folio.ts';
import type { OfferState } from '../../src/lead/offer.ts';
import { HOUR, MINUTE, DAY } from './time.ts';

// The server as phones and desks know it: what the migrations say of the tables that they speak of, in plain Maps.
// tests/integration/world-model.test.ts holds it against the real one.

type Row = Readonly<Record<string, unknown>>;

/** A request to `/rest/v1/…`, as far as it is asked by ours. */
export interface Asked {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly table: string;
  /** The ids in `x-submission-id`. */
  readonly shown: readonly string[];
  readonly body?: Row | undefined;
  /** Of which row: `id` or `quote_id`. */
  readonly of?: string | undefined;
  /** A colleague's id, or the service key; a phone has neither. */
  readonly by?: string | undefined;
  readonly address?: string;
  /** `on_conflict` with `resolution=ignore-duplicates`: what is there already is left as it is. */
  readonly ignoresDuplicates?: boolean;
}

export interface Answered {
  readonly status: number;
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly rows?: readonly Row[] | undefined;
}

export const SERVICE = 'service';

/** Where an offer can go from there. The database has the same; offers.test.ts compares them, pair by pair. */
export const OFFER_MOVES: Readonly<Record<OfferState, readonly OfferState[]>> = {
  vigente: ['aceptada', 'reemplazada', 'retirada', 'vencida'],
  reemplazada: [],
  retirada: [],
  // Accepted in time by a phone without signal: the desk says so.
  vencida: ['aceptada'],
  aceptada: ['reservada', 'sinespacio'],
  reservada: [],
  sinespacio: [],
};

export interface QuoteRow extends Row {
  readonly id: string;
  readonly created_at: number;
  readonly nombre: string;
  readonly empresa: string;
  readonly email: string;
  readonly telefono: string;
  readonly peso: number;
  readonly tipo_carga: string;
  readonly reemplaza?: string;
  readonly igual?: string;
  readonly entregada?: number;
}

export interface Lead extends Row {
  readonly quote_id: string;
  readonly status: string;
  readonly assignee: string | null;
  readonly asked_at: number;
  readonly reply_waiting: boolean;
  readonly last_answer: string | null;
  readonly last_reply: string | null;
  readonly last_seen: string | null;
  readonly replaced_by: string | null;
  readonly blocked: boolean;
  readonly blocked_at: number | null;
  readonly accepted: string | null;
  readonly accepted_state: string | null;
  readonly moved: string | null;
}

interface AnswerRow extends Row {
  readonly id: string;
  readonly quote_id: string;
  readonly created_at: number;
  readonly kind: string;
  readonly valid_until?: string | null;
}

interface OfferRow {
  readonly answer_id: string;
  readonly quote_id: string;
  readonly state: OfferState;
  readonly state_at: number;
  readonly word: unknown;
  readonly reference: unknown;
}

export interface ReplyRow extends Row {
  readonly id: string;
  readonly quote_id: string;
  readonly answer_id: string | null;
  readonly kind: string;
  readonly created_at: number;
  readonly pressed_at?: number | null;
  readonly verdict?: string | null;
  readonly entregada?: number;
}

interface EventRow {
  readonly quote_id: string;
  readonly code: string;
  readonly ref: string | null;
}

export interface Alert {
  readonly quote_id: string;
  readonly kind: string;
  readonly asked_at: number;
  readonly about: string | null;
  readonly due_at: number;
  readonly spread_at: number | null;
}

/** Everything that is stored. A row is never changed, only replaced: so a copy of all of it costs little. */
export class Tables {
  quotes: Map<string, QuoteRow>;
  leads: Map<string, Lead>;
  answers: Map<string, AnswerRow>;
  offers: Map<string, OfferRow>;
  replies: Map<string, ReplyRow>;
  seen: Map<string, Row>;
  details: Map<string, Row & { readonly id: string; readonly quote_id: string; readonly created_at: number }>;
  moves: Map<string, Row>;
  events: readonly EventRow[];
  alerts: readonly Alert[];
  sends: readonly { readonly kind: string; readonly address: string; readonly at: number }[];

  constructor(from?: Tables) {
    this.quotes = new Map(from?.quotes);
    this.leads = new Map(from?.leads);
    this.answers = new Map(from?.answers);
    this.offers = new Map(from?.offers);
    this.replies = new Map(from?.replies);
    this.seen = new Map(from?.seen);
    this.details = new Map(from?.details);
    this.moves = new Map(from?.moves);
    this.events = from?.events ?? [];
    this.alerts = from?.alerts ?? [];
    this.sends = from?.sends ?? [];
  }
}

export const PROMISE = 2 * HOUR;

class Refused extends Error {
  readonly answer: Answered;
  constructor(status: number, code: string, message: string, retryAfter?: number) {
    super(message);
    this.answer = { status, code, message, retryAfter };
  }
}

export const isOpen = (lead: Lead): boolean =>
  lead.reply_waiting || ((lead.status === 'nueva' || lead.status === 'tomada') && lead.replaced_by === null);

/** `most`: of each kind from one address within an hour; 0: as many as come. The limit of all together is not here. */
export function answer(tables: Tables, asked: Asked, now: number, most: number): Answered {
  try {
    return new Transaction(tables, asked, now, most).carryOut();
  } catch (error) {
    if (error instanceof Refused) return error.answer;
    throw error;
  }
}

/** One request. What it refuses it has not written: like the triggers, it judges first. */
class Transaction {
  readonly #tables: Tables;
  readonly #asked: Asked;
  readonly #now: number;
  readonly #most: number;

  constructor(tables: Tables, asked: Asked, now: number, most: number) {
    this.#tables = tables;
    this.#asked = asked;
    this.#now = now;
    this.#most = most;
  }

  carryOut(): Answered {
    const { method, table, by } = this.#asked;
    if (method === 'GET') return { status: 200, rows: this.#read(table) };
    if (method === 'PATCH') return { status: 200, rows: this.#changeLead() };
    if (method === 'DELETE') return { status: 200, rows: this.#erase() };
    if (by === undefined) {
      if (table === 'quotes') return { status: 201, rows: this.#storeQuote() };
      if (table === 'quote_replies') return { status: 201, rows: this.#storeReply() };
      if (table === 'quote_seen') return { status: 201, rows: this.#storeSeen() };
      if (table === 'quote_details') return { status: 201, rows: this.#storeDetails() };
    } else {
      if (table === 'quote_answers') return { status: 201, rows: this.#storeAnswer() };
      if (table === 'offer_moves') return { status: 201, rows: this.#storeMove() };
    }
    return { status: 404, code: 'PGRST205', message: table };
  }

  // What is read

  #read(table: string): readonly Row[] {
    const { quotes, leads, answers, offers, replies } = this.#tables;
    const { shown, by } = this.#asked;
    const isShown = (id: string) => shown.includes(id) && !leads.get(id)?.blocked;
    switch (table) {
      case 'quotes':
        return [...quotes.values()].filter(({ id }) => (by === undefined ? isShown(id) : !leads.get(id)?.blocked));
      case 'desk_leads':
        return [...leads.values()].filter(({ blocked }) => by === SERVICE || !blocked);
      case 'quote_words':
        return [...answers.values()]
          .filter(({ quote_id }) => isShown(quote_id))
          .toSorted((a, b) => a.created_at - b.created_at)
          .map((each) => {
            const offer = offers.get(each.id);
            const moved = offer && { state_at: offer.state_at, word: offer.word, reference: offer.reference };
            return { ...each, ...moved, state: offer ? this.#stateOf(offer) : null };
          });
      case 'quote_replies':
        return [...replies.values()].filter(({ quote_id }) => isShown(quote_id));
      case 'unknown_submissions':
        return shown.filter((id) => !this.#isKnown(id)).map((id) => ({ id }));
      default:
        throw new Refused(404, 'PGRST205', table);
    }
  }

  #isKnown(id: string): boolean {
    const { quotes, replies, details, events } = this.#tables;
    return (
      quotes.has(id) ||
      replies.has(id) ||
      details.has(id) ||
      events.some(({ quote_id, ref, code }) => quote_id === id || (ref === id && code === 'contestada'))
    );
  }

  #stateOf({ answer_id, state }: OfferRow): OfferState {
    const lastDay = this.#tables.answers.get(answer_id)?.valid_until;
    return state === 'vigente' && lastDay && dayOf(this.#now) > lastDay ? 'vencida' : state;
  }

  // What a phone sends

  #storeQuote(): readonly Row[] {
    const { quotes, events, leads } = this.#tables;
    const sent = this.#asked.body as QuoteRow;
    if (events.some(({ quote_id, code }) => quote_id === sent.id && code === 'borrada')) return [];
    const again = sent.entregada !== undefined && { entregada: this.#firstDelivery(sent.entregada) };
    const row: QuoteRow = {
      ...sent,
      email: sent.email.trim().toLowerCase(),
      created_at: again ? again.entregada : this.#now,
      ...again,
    };
    const isThere = quotes.has(row.id);
    if (!isThere) {
      const day = dayOf(row.created_at);
      const twin = [...quotes.values()].some(
        (other) => SAME.every((name) => (other[name] ?? '') === (row[name] ?? '')) && dayOf(other.created_at) === day,
      );
      if (twin) throw new Refused(409, '23505', 'duplicate key value violates unique constraint "quotes_request_key"');
      this.#requireRoom('quotes');
    }
    for (const name of ['nombre', 'empresa'] as const)
      if (row[name] !== row[name].trim() || row[name] === '' || row[name].length > 100)
        throw new Refused(400, '23514', `quotes_${name}_check`);
    if (!(row.peso >= 1 && row.peso <= 1_000_000)) throw new Refused(400, '23514', 'quotes_peso_check');
    if (isThere) return this.#leave('quotes_pkey');
    const replaced =
      row.reemplaza &&
      [...quotes.values()]
        .filter(({ id }) => folioOf(id) === row.reemplaza && this.#maySpeakOf(id) && !leads.get(id)?.blocked)
        .toSorted((a, b) => b.created_at - a.created_at)[0];
    quotes.set(row.id, row);
    this.#count('quotes');
    this.#putLead({ ...NEW_LEAD, quote_id: row.id, asked_at: row.created_at }, 'creada', undefined);
    if (replaced) {
      const lead = leads.get(replaced.id)!;
      this.#putLead(
        { ...lead, replaced_by: row.id, reply_waiting: lead.accepted_state === 'aceptada' },
        'reemplazada',
        lead,
      );
    }
    return [shownOf(row)];
  }

  #storeReply(): readonly Row[] {
    const { leads, replies, answers, offers } = this.#tables;
    const sent = this.#asked.body as ReplyRow & { hace?: number; body?: string };
    if (!this.#maySpeakOf(sent.quote_id)) throw new Refused(401, '42501', 'row-level security');
    const accepted = sent.answer_id === null ? undefined : answers.get(sent.answer_id);
    const isOfQuote = accepted?.quote_id === sent.quote_id;
    let row: ReplyRow = { ...sent, created_at: this.#now };
    if (sent.entregada !== undefined) {
      const entregada = this.#firstDelivery(sent.entregada);
      row = { ...row, entregada, created_at: entregada, answer_id: isOfQuote ? sent.answer_id : null };
    }
    const lead = leads.get(row.quote_id);
    if (!lead || lead.blocked) throw new Refused(409, '23503', 'The quote of this reply is not there');
    const isThere = replies.has(row.id);
    if (!isThere) {
      this.#requireFewer(replies.values(), row.quote_id);
      this.#requireRoom('replies');
    }
    let taken: OfferRow | undefined;
    if (row.kind === 'aceptada' && !isThere) {
      const pressed = Math.min(row.entregada ?? Infinity, this.#now - Math.min(sent.hace ?? 0, 31 * 86_400) * 1000);
      row = { ...row, pressed_at: Math.max(isOfQuote ? accepted.created_at : -Infinity, pressed) };
      const offer = isOfQuote ? offers.get(accepted.id) : undefined;
      const stands = offer && this.#stateOf(offer);
      if (stands === 'vigente') taken = offer;
      row = { ...row, verdict: verdictOf(stands) };
    }
    if (row.kind === 'aceptada' && row.answer_id === null && row.entregada === undefined)
      throw new Refused(400, '23514', 'quote_replies_accepted_check');
    if ((sent.hace ?? 0) < 0) throw new Refused(400, '23514', 'quote_replies_hace_check');
    if (isThere) return this.#leave('quote_replies_pkey');
    if (row.answer_id !== null && !isOfQuote) throw new Refused(409, '23503', 'quote_replies_answer');
    if (taken) offers.set(taken.answer_id, { ...taken, state: 'aceptada', state_at: this.#now });
    replies.set(row.id, row);
    this.#count('replies');
    if (row.verdict !== 'repetida') {
      const counts = row.verdict === 'vale' ? { accepted: row.answer_id, accepted_state: 'aceptada' } : {};
      const asked_at = isOpen(lead) ? lead.asked_at : (row.entregada ?? this.#now);
      this.#putLead({ ...lead, ...counts, asked_at, last_reply: row.id, reply_waiting: true }, 'contestada', lead);
    }
    return [shownOf(row)];
  }

  #storeSeen(): readonly Row[] {
    const { leads, answers, seen } = this.#tables;
    const row = this.#asked.body as { readonly answer_id: string; readonly quote_id: string };
    if (!this.#maySpeakOf(row.quote_id)) throw new Refused(401, '42501', 'row-level security');
    const lead = leads.get(row.quote_id);
    if (!lead || lead.blocked || answers.get(row.answer_id)?.quote_id !== row.quote_id)
      throw new Refused(409, '23503', 'The answer that was seen is not there');
    if (seen.has(row.answer_id)) return this.#leave('quote_seen_pkey');
    seen.set(row.answer_id, row);
    this.#putLead({ ...lead, last_seen: row.answer_id }, 'vista', lead);
    return [{ answer_id: row.answer_id }];
  }

  #storeDetails(): readonly Row[] {
    const { leads, details, offers } = this.#tables;
    const row = this.#asked.body as { readonly id: string; readonly quote_id: string };
    if (!this.#maySpeakOf(row.quote_id)) throw new Refused(401, '42501', 'row-level security');
    const lead = leads.get(row.quote_id);
    if (!lead || lead.blocked) throw new Refused(409, '23503', 'The quote of these details is not there');
    if (details.has(row.id)) return this.#leave('quote_details_pkey');
    const stands = [...offers.values()].some(
      (offer) => offer.quote_id === row.quote_id && ['vigente', 'aceptada', 'reservada'].includes(this.#stateOf(offer)),
    );
    if (stands) throw new Refused(400, '23514', 'An offer stands for this quote: its details do not change');
    this.#requireFewer(details.values(), row.quote_id);
    this.#requireRoom('replies');
    details.set(row.id, { ...row, created_at: this.#now });
    this.#count('replies');
    return [shownOf({ ...row, created_at: this.#now })];
  }

  // What the sales team does

  #storeAnswer(): readonly Row[] {
    const { answers, leads, offers } = this.#tables;
    const row = { ...this.#asked.body, created_at: this.#now } as unknown as AnswerRow;
    const before = leads.get(row.quote_id);
    if (before?.blocked && this.#asked.by !== SERVICE) throw new Refused(403, '42501', 'row-level security');
    if (answers.has(row.id)) return this.#leave('quote_answers_pkey');
    if (!before) throw new Refused(409, '23503', 'quote_answers_quote');
    const lead = this.#judgeLead(before, { status: 'respondida', last_answer: row.id }, 'respondida');
    const isOffer = row.kind === 'oferta';
    if (isOffer && lead.accepted_state === 'aceptada')
      throw new Refused(409, 'PT409', 'An accepted offer waits for what becomes of it');
    answers.set(row.id, row);
    if (isOffer) {
      for (const offer of offers.values())
        if (offer.quote_id === row.quote_id && offer.state === 'vigente')
          offers.set(offer.answer_id, {
            ...offer,
            state: this.#stateOf(offer) === 'vencida' ? 'vencida' : 'reemplazada',
            state_at: this.#now,
          });
      const { id: answer_id, quote_id } = row;
      offers.set(answer_id, {
        answer_id,
        quote_id,
        state: 'vigente',
        state_at: this.#now,
        word: null,
        reference: null,
      });
    }
    this.#putLead(lead, 'respondida', before);
    return [shownOf(row)];
  }

  #storeMove(): readonly Row[] {
    const { moves, leads, offers, replies, answers } = this.#tables;
    const { by } = this.#asked;
    const row = this.#asked.body as Row & { id: string; quote_id: string; answer_id: string; state: OfferState };
    const lead = leads.get(row.quote_id);
    if (moves.has(row.id)) {
      if (lead?.blocked) throw new Refused(403, '42501', 'row-level security');
      return this.#leave('offer_moves_pkey');
    }
    if (!lead || lead.blocked || lead.assignee !== by)
      throw new Refused(409, 'PT409', 'Only who has the lead says what becomes of an offer');
    const offer = offers.get(row.answer_id);
    const stands = offer?.quote_id === row.quote_id ? this.#stateOf(offer) : undefined;
    const wasInTime = () =>
      [...replies.values()].some(
        (reply) =>
          reply.answer_id === row.answer_id &&
          reply.verdict === 'vencida' &&
          dayOf(reply.pressed_at!) <= answers.get(row.answer_id)!.valid_until!,
      );
    const othersAccepted = () =>
      [...offers.values()].some(
        ({ quote_id, state }) => quote_id === row.quote_id && ['aceptada', 'reservada'].includes(state),
      );
    if (
      !offer ||
      !stands ||
      !OFFER_MOVES[stands].includes(row.state) ||
      (row.state === 'aceptada' && (!wasInTime() || othersAccepted()))
    )
      throw new Refused(409, 'PT409', `The offer is ${stands ?? 'not there'}`);
    if (row.state === 'aceptada')
      for (const other of offers.values())
        if (other.quote_id === row.quote_id && other.state === 'vigente' && other.answer_id !== row.answer_id)
          offers.set(other.answer_id, { ...other, state: 'reemplazada', state_at: this.#now });
    moves.set(row.id, row);
    offers.set(row.answer_id, {
      ...offer,
      state: row.state,
      state_at: this.#now,
      word: row['word'] ?? null,
      reference: row['reference'] ?? null,
    });
    const counts = row.state === 'retirada' ? {} : { accepted: row.answer_id, accepted_state: row.state };
    const ends =
      row.state === 'reservada' || row.state === 'sinespacio'
        ? { status: row.state === 'reservada' ? 'ganada' : 'respondida', reply_waiting: false }
        : row.state === 'aceptada'
          ? { reply_waiting: true, ...(!isOpen(lead) && { asked_at: this.#now }) }
          : {};
    this.#putLead({ ...lead, ...counts, ...ends, moved: `${row.answer_id} ${row.state}` }, row.state, lead);
    return [shownOf(row)];
  }

  #changeLead(): readonly Row[] {
    const { of: id, body = {}, by } = this.#asked;
    const lead = this.#tables.leads.get(id!);
    if (!lead) return [];
    if (by === SERVICE) {
      const blocked = body['blocked_at'] !== null;
      if (blocked === lead.blocked) return [];
      const blocking = { blocked, blocked_at: blocked ? this.#now : null };
      return [this.#putLead({ ...lead, ...blocking }, blocked ? 'bloqueada' : 'desbloqueada', lead)];
    }
    if (lead.blocked) return [];
    const changes = body as { status?: string; assignee?: string };
    const happened =
      lead.assignee !== null && changes.assignee !== undefined && changes.assignee !== lead.assignee
        ? 'relevada'
        : (changes.status ?? lead.status) === 'nueva'
          ? 'soltada'
          : (changes.status ?? lead.status);
    return [this.#putLead(this.#judgeLead(lead, changes, happened), happened, lead)];
  }

  /** As `private.quote_desk_rules`, for what staff write. */
  #judgeLead(lead: Lead, changes: Partial<Lead>, happened: string): Lead {
    const { by } = this.#asked;
    const next = { ...lead, ...changes };
    const isAccepted = lead.accepted_state === 'aceptada';
    const answered = next.last_answer !== lead.last_answer;
    if (answered && lead.blocked) throw new Refused(409, 'PT409', 'This quote is blocked');
    if (answered && by === SERVICE) return { ...next, reply_waiting: isAccepted };
    if (next.assignee !== lead.assignee && next.assignee !== by)
      throw new Refused(403, '42501', 'A lead is taken by oneself, for oneself');
    if (lead.assignee === null) {
      if (next.status !== 'tomada') throw new Refused(409, 'PT409', 'Take the lead first');
    } else if (lead.assignee !== by && (happened !== 'relevada' || next.status !== lead.status || answered))
      throw new Refused(409, 'PT409', 'Somebody else has this lead');
    const owned: Lead = {
      ...next,
      assignee: next.status === 'nueva' ? null : by!,
      status: lead.assignee === null && lead.status === 'respondida' && !lead.reply_waiting ? lead.status : next.status,
    };
    if (next.status === 'respondida' && next.last_answer === null)
      throw new Refused(409, 'PT409', 'There is no answer yet');
    if (lead.assignee !== by || !['respondida', 'ganada', 'perdida'].includes(next.status)) return owned;
    if (isAccepted && !answered && happened !== 'relevada')
      throw new Refused(409, 'PT409', 'An accepted offer waits for what becomes of it');
    return { ...owned, reply_waiting: isAccepted };
  }

  #erase(): readonly Row[] {
    const { quotes, leads, answers, offers, replies, seen, details, moves } = this.#tables;
    const id = this.#asked.of!;
    const quote = quotes.get(id);
    if (!quote) return [];
    if (!leads.get(id)!.blocked) throw new Refused(409, 'PT409', 'Only a quote that was blocked is erased');
    quotes.delete(id);
    leads.delete(id);
    for (const table of [answers, offers, replies, seen, details, moves] as Map<string, Row>[])
      for (const [key, row] of table) if (row['quote_id'] === id) table.delete(key);
    this.#tables.alerts = this.#tables.alerts.filter(({ quote_id }) => quote_id !== id);
    this.#note(id, 'borrada', null);
    return [shownOf(quote)];
  }

  // What follows from it

  #putLead(lead: Lead, happened: string, before: Lead | undefined): Lead {
    this.#tables.leads.set(lead.quote_id, lead);
    const about: Record<string, string | null> = {
      contestada: lead.last_reply,
      vista: lead.last_seen,
      reemplazada: lead.replaced_by,
      relevada: before?.assignee ?? null,
      respondida: lead.last_answer,
    };
    this.#note(lead.quote_id, happened, about[happened] ?? null);
    const entregada = this.#tables.quotes.get(lead.quote_id)?.entregada;
    const isRecovered = !before && entregada !== undefined;
    const { quote_id, asked_at } = lead;
    const isWordBack = happened === 'contestada' && asked_at < this.#now;
    if (happened === 'desbloqueada')
      this.#tables.alerts = this.#tables.alerts.map((alert) =>
        alert.quote_id === quote_id && alert.spread_at !== null && alert.spread_at >= before!.blocked_at!
          ? { ...alert, spread_at: null }
          : alert,
      );
    const tell = (kind: string, due_at: number, subject: string | null = null) => {
      const isThere = this.#tables.alerts.some(
        (each) =>
          each.quote_id === quote_id && each.kind === kind && each.asked_at === asked_at && each.about === subject,
      );
      if (isThere) return;
      const alert: Alert = { quote_id, kind, asked_at, about: subject, due_at, spread_at: null };
      this.#tables.alerts = [...this.#tables.alerts, alert];
    };
    if (happened === 'respondida' && lead.last_answer !== before?.last_answer)
      tell('respuesta', this.#now, lead.last_answer);
    if (['retirada', 'reservada', 'sinespacio'].includes(happened)) tell('resultado', this.#now, lead.moved);
    if (isRecovered) {
      const recently = this.#tables.alerts.some(
        ({ kind, due_at }) => kind === 'recuperada' && due_at > this.#now - 10 * MINUTE,
      );
      if (!recently) tell('recuperada', this.#now);
    } else if (!before) tell('nueva', asked_at);
    else if (happened === 'contestada') this.#tellReply(lead, before, tell);
    if (!before || asked_at !== before.asked_at)
      for (const [kind, ahead] of CLOCK) {
        const due = asked_at + PROMISE - ahead;
        if (due > this.#now || !(isRecovered || isWordBack)) tell(kind, due);
      }
    return lead;
  }

  #tellReply(lead: Lead, before: Lead, tell: (kind: string, due: number, about: string | null) => void): void {
    const { verdict, kind } = this.#tables.replies.get(lead.last_reply!)!;
    const said = (verdict ?? 'vale') === 'vale' ? kind : 'pregunta';
    const isOfReplies = (alert: Alert) =>
      alert.quote_id === lead.quote_id && (alert.kind === 'pregunta' || alert.kind === 'aceptada');
    let found = false;
    this.#tables.alerts = this.#tables.alerts.map((alert) => {
      if (!isOfReplies(alert) || alert.spread_at !== null) return alert;
      found = true;
      return {
        ...alert,
        kind: said === 'aceptada' ? said : alert.kind,
        about: lead.last_reply,
        asked_at: lead.asked_at,
      };
    });
    if (found) return;
    const last = before.reply_waiting
      ? this.#tables.alerts
          .filter((alert) => isOfReplies(alert) && alert.due_at > this.#now - MINUTE)
          .toSorted((a, b) => b.due_at - a.due_at)[0]
      : undefined;
    if (last?.kind !== said) tell(said, last ? last.due_at + MINUTE : this.#now, lead.last_reply);
  }

  #note(quote_id: string, code: string, ref: string | null): void {
    this.#tables.events = [...this.#tables.events, { quote_id, code, ref }];
  }

  #leave(key: string): readonly Row[] {
    if (this.#asked.ignoresDuplicates) return [];
    throw new Refused(409, '23505', `duplicate key value violates unique constraint "${key}"`);
  }

  #maySpeakOf(id: string): boolean {
    return this.#asked.by !== undefined || this.#asked.shown.includes(id);
  }

  #firstDelivery(said: unknown): number {
    const at = typeof said === 'number' ? said : Date.parse(String(said));
    return Math.max(Math.min(at, this.#now), this.#now - 31 * DAY);
  }

  #requireFewer(rows: Iterable<{ readonly quote_id: string; readonly created_at: number }>, quote_id: string): void {
    const recent = [...rows].filter((row) => row.quote_id === quote_id && row.created_at > this.#now - HOUR);
    if (recent.length >= 20)
      throw this.#tooMany(recent.map(({ created_at }) => created_at).toSorted((a, b) => a - b)[0]!);
  }

  #requireRoom(kind: string): void {
    const { address = '' } = this.#asked;
    const sends = this.#tables.sends.filter(
      (each) => each.kind === kind && each.address === address && each.at > this.#now - HOUR,
    );
    const most = this.#most;
    if (most > 0 && sends.length >= most) throw this.#tooMany(sends[sends.length - most]!.at);
  }

  #tooMany(since: number): Refused {
    const wait = Math.min(300, Math.ceil((since + HOUR - this.#now) / 1000));
    return new Refused(429, 'PT429', 'Too many within an hour', wait);
  }

  #count(kind: string): void {
    const { address = '' } = this.#asked;
    const recent = this.#tables.sends.filter(({ at }) => at > this.#now - HOUR);
    this.#tables.sends = [...recent, { kind, address, at: this.#now }];
  }
}

/** Whom the sender of alerts would tell now: the rows that it claims, marked as spread. As `claim_alerts`. */
export function claimAlerts(tables: Tables, now: number): readonly Alert[] {
  const claimed: Alert[] = [];
  tables.alerts = tables.alerts.map((alert) => {
    if (alert.spread_at !== null || alert.due_at > now) return alert;
    const lead = tables.leads.get(alert.quote_id);
    const told = lead !== undefined && isWanted(tables, alert, lead, now);
    const spread = { ...alert, spread_at: now };
    if (told) claimed.push(spread);
    return spread;
  });
  return claimed;
}

function isWanted(tables: Tables, alert: Alert, lead: Lead, now: number): boolean {
  if (lead.blocked) return false;
  switch (alert.kind) {
    case 'respuesta':
      return lead.last_answer === alert.about && !tables.seen.has(alert.about!);
    case 'resultado':
      return lead.moved === alert.about;
    case 'recuperada':
      return true;
    case 'pregunta':
    case 'aceptada': {
      const kinds = alert.kind === 'aceptada' ? ['aceptada'] : ['pregunta', 'aceptada'];
      const isStill =
        alert.kind === 'pregunta' || lead.last_reply === alert.about || lead.accepted_state === 'aceptada';
      const isToldLater = tables.alerts.some(
        (later) => later.quote_id === alert.quote_id && kinds.includes(later.kind) && later.due_at > alert.due_at,
      );
      return isOpen(lead) && isStill && !isToldLater;
    }
    default: {
      const later = tables.alerts.some(
        (other) =>
          other.quote_id === alert.quote_id &&
          other.asked_at === alert.asked_at &&
          other.about === null &&
          other.due_at > alert.due_at &&
          other.due_at <= now,
      );
      const isTaken = alert.kind === 'nueva' && lead.assignee !== null;
      return isOpen(lead) && lead.asked_at === alert.asked_at && !isTaken && !later;
    }
  }
}

const CLOCK = [
  ['quedan60', HOUR],
  ['quedan30', 30 * MINUTE],
  ['quedan10', 10 * MINUTE],
  ['tarde', 0],
] as const;

const SAME = ['email', 'tipo_carga', 'peso', 'telefono', 'nombre', 'empresa', 'igual', 'reemplaza'] as const;

const NEW_LEAD = {
  status: 'nueva',
  assignee: null,
  reply_waiting: false,
  last_answer: null,
  last_reply: null,
  last_seen: null,
  replaced_by: null,
  blocked: false,
  blocked_at: null,
  accepted: null,
  accepted_state: null,
  moved: null,
} as const;

function verdictOf(stands: OfferState | undefined): string {
  if (stands === undefined) return 'sinoferta';
  if (stands === 'vigente') return 'vale';
  return stands === 'aceptada' || stands === 'reservada' || stands === 'sinespacio' ? 'repetida' : stands;
}

export const iso = (at: number): string => new Date(at).toISOString();

/** As it travels: moments in words. */
export function shownOf(row: Row): Row {
  const moments = Object.entries(row).filter(([name, value]) => name.endsWith('_at') && typeof value === 'number');
  return moments.length === 0
    ? row
    : { ...row, ...Object.fromEntries(moments.map(([name, value]) => [name, iso(value as number)])) };
}

const days = new Map<number, string>();
const calendar = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Tijuana' });

/** The day in Tijuana, as 2026-11-24. Zones change at a quarter of an hour at the finest. */
export function dayOf(at: number): string {
  const quarter = Math.floor(at / (15 * MINUTE));
  let day = days.get(quarter);
  if (day === undefined) days.set(quarter, (day = calendar.format(at)));
  return day;
}
