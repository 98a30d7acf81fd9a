import { DAY } from './time.ts';

// The server as phones know it, in plain Maps: quotes, replies, and answers to reply to.
// tests/integration/world-model.test.ts holds it against the real one.

type Row = Readonly<Record<string, unknown>>;

/** A request to `/rest/v1/…`, as far as it is asked by ours. */
export interface Asked {
  readonly method: 'GET' | 'POST';
  readonly table: string;
  /** The ids in `x-submission-id`. */
  readonly shown: readonly string[];
  readonly body?: Row | undefined;
  /** With the service key, in place of a phone. */
  readonly isService?: boolean;
  /** `on_conflict` with `resolution=ignore-duplicates`: a row that is there already stays as it is. */
  readonly ignoresDuplicates?: boolean;
}

export interface Answered {
  readonly status: number;
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly rows?: readonly Row[] | undefined;
}

export interface QuoteRow extends Row {
  readonly id: string;
  readonly created_at: number;
  readonly empresa: string;
  readonly email: string;
  readonly peso: number;
  readonly entregada?: number;
}

interface AnswerRow extends Row {
  readonly id: string;
  readonly quote_id: string;
  readonly created_at: number;
  readonly kind: string;
}

interface ReplyRow extends AnswerRow {
  readonly answer_id: string | null;
  readonly entregada?: number;
}

/** Everything that is stored. A row is never changed, only replaced, so a copy costs little. */
export class Tables {
  quotes: Map<string, QuoteRow>;
  answers: Map<string, AnswerRow>;
  replies: Map<string, ReplyRow>;

  constructor(from?: Tables) {
    this.quotes = new Map(from?.quotes);
    this.answers = new Map(from?.answers);
    this.replies = new Map(from?.replies);
  }
}

/** A request that the server refuses. */
class Refused extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** The model has no limits of how much may be sent. */
export function answer(tables: Tables, asked: Asked, now: number): Answered {
  try {
    if (asked.method === 'GET') return { status: 200, rows: read(tables, asked) };
    return { status: 201, rows: new Writing(tables, asked, now).carryOut() };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { status, code, message } = error;
    return { status, code, message };
  }
}

function read({ quotes, answers, replies }: Tables, { table, shown }: Asked): readonly Row[] {
  const isShown = ({ quote_id }: AnswerRow) => shown.includes(quote_id);
  const accepted = new Set([...replies.values()].map(({ kind, answer_id }) => kind === 'aceptada' && answer_id));
  const stateOf = ({ id, kind }: AnswerRow) => kind === 'oferta' && (accepted.has(id) ? 'aceptada' : 'vigente');
  switch (table) {
    case 'quotes':
      return [...quotes.values()].filter(({ id }) => shown.includes(id));
    case 'quote_words':
      return [...answers.values()].filter(isShown).map((row) => ({ ...row, state: stateOf(row) || null }));
    case 'quote_replies':
      return [...replies.values()].filter(isShown);
    case 'unknown_submissions':
      return shown.filter((id) => !quotes.has(id) && !replies.has(id)).map((id) => ({ id }));
    default:
      throw new Refused(404, 'PGRST205', table);
  }
}

/** One request that writes. Like the triggers, it judges before it writes. */
class Writing {
  readonly #tables: Tables;
  readonly #asked: Asked;
  readonly #now: number;

  constructor(tables: Tables, asked: Asked, now: number) {
    this.#tables = tables;
    this.#asked = asked;
    this.#now = now;
  }

  carryOut(): readonly Row[] {
    const { table, isService } = this.#asked;
    if (table === 'quotes') return this.#storeQuote();
    if (table === 'quote_replies') return this.#storeReply();
    if (table === 'quote_answers' && isService) return this.#storeAnswer();
    throw new Refused(404, 'PGRST205', table);
  }

  #storeQuote(): readonly Row[] {
    const { quotes } = this.#tables;
    const sent = this.#asked.body as QuoteRow;
    const again = sent.entregada !== undefined && { entregada: this.#firstDelivery(sent.entregada) };
    const created_at = again ? again.entregada : this.#now;
    const row: QuoteRow = { ...sent, email: sent.email.trim().toLowerCase(), created_at, ...again };
    if (quotes.has(row.id)) return this.#leave('quotes_pkey');
    quotes.set(row.id, row);
    return [shownOf(row)];
  }

  #storeReply(): readonly Row[] {
    const { quotes, replies, answers } = this.#tables;
    const sent = this.#asked.body as ReplyRow;
    if (!this.#asked.shown.includes(sent.quote_id)) throw new Refused(401, '42501', 'row-level security');
    const isOfQuote = sent.answer_id !== null && answers.get(sent.answer_id)?.quote_id === sent.quote_id;
    let row: ReplyRow = { ...sent, created_at: this.#now };
    if (sent.entregada !== undefined) {
      const entregada = this.#firstDelivery(sent.entregada);
      row = { ...row, entregada, created_at: entregada, answer_id: isOfQuote ? sent.answer_id : null };
    }
    if (!quotes.has(row.quote_id)) throw new Refused(409, '23503', 'The quote of this reply is not there');
    if (replies.has(row.id)) return this.#leave('quote_replies_pkey');
    if (row.answer_id !== null && !isOfQuote) throw new Refused(409, '23503', 'quote_replies_answer');
    replies.set(row.id, row);
    return [shownOf(row)];
  }

  #storeAnswer(): readonly Row[] {
    const { answers, quotes } = this.#tables;
    const row = { ...this.#asked.body, created_at: this.#now } as unknown as AnswerRow;
    if (answers.has(row.id)) return this.#leave('quote_answers_pkey');
    if (!quotes.has(row.quote_id)) throw new Refused(409, '23503', 'quote_answers_quote');
    answers.set(row.id, row);
    return [shownOf(row)];
  }

  #leave(key: string): readonly Row[] {
    if (this.#asked.ignoresDuplicates) return [];
    throw new Refused(409, '23505', `duplicate key value violates unique constraint "${key}"`);
  }

  #firstDelivery(moment: unknown): number {
    return Math.max(Math.min(Date.parse(String(moment)), this.#now), this.#now - 31 * DAY);
  }
}

/** The row as it travels: moments in words. */
export function shownOf(row: Row): Row {
  const isMoment = ([name, value]: readonly [string, unknown]) =>
    (name.endsWith('_at') || name === 'entregada') && typeof value === 'number';
  const moments = Object.entries(row).filter(isMoment);
  return {
    ...row,
    ...Object.fromEntries(moments.map(([name, value]) => [name, new Date(value as number).toISOString()])),
  };
}
