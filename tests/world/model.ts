import { DAY } from './time.ts';

// Model of the server as phones see it: stores quotes, replies and answers in Maps, and has no rate limits.
// tests/integration/world-model.test.ts compares it with the real server.

type Row = Readonly<Record<string, unknown>>;

/** Request to `/rest/v1/…`, as the product sends it. */
export interface Asked {
  readonly method: 'GET' | 'POST';
  readonly table: string;
  /** Ids in the header `x-submission-id` of the request. */
  readonly shown: readonly string[];
  readonly body?: Row | undefined;
  /** True for requests with the service key. */
  readonly isService?: boolean;
  /** True if the request leaves an existing row unchanged (`on_conflict` with `resolution=ignore-duplicates`). */
  readonly ignoresDuplicates?: boolean;
}

export interface Answered {
  readonly status: number;
  readonly code?: string | undefined;
  readonly message?: string | undefined;
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

/** All stored rows. A row is never changed in place, so a copy of the tables can share the rows. */
export class Tables {
  readonly quotes: Map<string, QuoteRow>;
  readonly answers: Map<string, AnswerRow>;
  readonly replies: Map<string, ReplyRow>;

  constructor(from?: Tables) {
    this.quotes = new Map(from?.quotes);
    this.answers = new Map(from?.answers);
    this.replies = new Map(from?.replies);
  }
}

export function answer(tables: Tables, asked: Asked, now: number): Answered {
  const { method, table, isService } = asked;
  if (method === 'GET') return read(tables, asked);
  if (table === 'quotes') return storeQuote(tables, asked, now);
  if (table === 'quote_replies') return storeReply(tables, asked, now);
  return table === 'quote_answers' && isService ? storeAnswer(tables, asked, now) : refused(404, 'PGRST205', table);
}

const refused = (status: number, code: string, message: string): Answered => ({ status, code, message });

function read({ quotes, answers, replies }: Tables, { table, shown }: Asked): Answered {
  const isShown = ({ quote_id }: AnswerRow) => shown.includes(quote_id);
  const accepted = new Set([...replies.values()].map(({ kind, answer_id }) => kind === 'aceptada' && answer_id));
  const stateOf = ({ id, kind }: AnswerRow) => kind === 'oferta' && (accepted.has(id) ? 'aceptada' : 'vigente');
  const lists: Readonly<Record<string, () => readonly Row[]>> = {
    quotes: () => [...quotes.values()].filter(({ id }) => shown.includes(id)),
    quote_words: () => [...answers.values()].filter(isShown).map((row) => ({ ...row, state: stateOf(row) || null })),
    quote_replies: () => [...replies.values()].filter(isShown),
    unknown_submissions: () => shown.filter((id) => !quotes.has(id) && !replies.has(id)).map((id) => ({ id })),
  };
  const list = lists[table];
  return list ? { status: 200, rows: list() } : refused(404, 'PGRST205', table);
}

/** Stores the row unless a row with this id exists. */
function store<Stored extends Row & { readonly id: string }>(
  rows: Map<string, Stored>,
  row: Stored,
  { table, ignoresDuplicates }: Asked,
): Answered {
  if (!rows.has(row.id)) {
    rows.set(row.id, row);
    return { status: 201, rows: [shownOf(row)] };
  }
  if (ignoresDuplicates) return { status: 201, rows: [] };
  return refused(409, '23505', `duplicate key value violates unique constraint "${table}_pkey"`);
}

function storeQuote({ quotes }: Tables, asked: Asked, now: number): Answered {
  const sent = asked.body as QuoteRow;
  const firstDelivered = sent.entregada !== undefined && { entregada: firstDelivery(sent.entregada, now) };
  const created_at = firstDelivered ? firstDelivered.entregada : now;
  return store(quotes, { ...sent, email: sent.email.trim().toLowerCase(), created_at, ...firstDelivered }, asked);
}

function storeReply({ quotes, replies, answers }: Tables, asked: Asked, now: number): Answered {
  const sent = asked.body as ReplyRow;
  const { quote_id, answer_id } = sent;
  if (!asked.shown.includes(quote_id)) return refused(401, '42501', 'row-level security');
  if (!quotes.has(quote_id)) return refused(409, '23503', 'The quote of this reply is not there');
  const isOfQuote = answer_id !== null && answers.get(answer_id)?.quote_id === quote_id;
  if (sent.entregada !== undefined) {
    const entregada = firstDelivery(sent.entregada, now);
    const row = { ...sent, entregada, created_at: entregada, answer_id: isOfQuote ? answer_id : null };
    return store(replies, row, asked);
  }
  if (!replies.has(sent.id) && answer_id !== null && !isOfQuote) return refused(409, '23503', 'quote_replies_answer');
  return store(replies, { ...sent, created_at: now }, asked);
}

function storeAnswer({ answers, quotes }: Tables, asked: Asked, now: number): Answered {
  const row = { ...(asked.body as AnswerRow), created_at: now };
  if (!answers.has(row.id) && !quotes.has(row.quote_id)) return refused(409, '23503', 'quote_answers_quote');
  return store(answers, row, asked);
}

function firstDelivery(moment: unknown, now: number): number {
  return Math.max(Math.min(Date.parse(String(moment)), now), now - 31 * DAY);
}

/** Returns the row as JSON has it, with times as text. */
export function shownOf(row: Row): Row {
  const isMoment = ([name, value]: readonly [string, unknown]) =>
    (name.endsWith('_at') || name === 'entregada') && typeof value === 'number';
  const moments = Object.entries(row).filter(isMoment);
  const inWords = moments.map(([name, value]) => [name, new Date(value as number).toISOString()]);
  return { ...row, ...Object.fromEntries(inWords) };
}
