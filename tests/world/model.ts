import { DAY } from './time.ts';

// The server as phones know it, in plain Maps: quotes, replies, and answers to reply to. It has no limits of how much may
// be sent. tests/integration/world-model.test.ts holds it against the real one.

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

/** Stores the row unless its id is taken. */
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
  const again = sent.entregada !== undefined && { entregada: firstDelivery(sent.entregada, now) };
  const created_at = again ? again.entregada : now;
  return store(quotes, { ...sent, email: sent.email.trim().toLowerCase(), created_at, ...again }, asked);
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

/** The row as it travels: moments in words. */
export function shownOf(row: Row): Row {
  const isMoment = ([name, value]: readonly [string, unknown]) =>
    (name.endsWith('_at') || name === 'entregada') && typeof value === 'number';
  const moments = Object.entries(row).filter(isMoment);
  const inWords = moments.map(([name, value]) => [name, new Date(value as number).toISOString()]);
  return { ...row, ...Object.fromEntries(inWords) };
}
