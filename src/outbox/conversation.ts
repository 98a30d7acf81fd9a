import { isDay } from '../lead/bounds.ts';
import { readPrice, type Price } from '../lead/offer.ts';
import { newState, readState, readTime, stateForDisk, type Loose, type State } from './state.ts';

/** What the sales team answered to a quote. */
export interface Answer {
  readonly id: string;
  /** By the server's clock. */
  readonly at: number;
  readonly body: string;
  readonly price: Price | undefined;
  /** The last day on which it holds, as 2026-11-28, in Tijuana. */
  readonly validUntil: string | undefined;
  /** A page or a notification said that it is there. */
  readonly told: boolean;
}

/** The column of a reply takes 2000 characters. */
const LONGEST_FACTS = 1900;

/** `vista`: its sender has seen the answer, which is said by the phone itself. */
const KINDS = { aceptada: true, pregunta: true, vista: true };

/** What its sender said to an answer: it goes the way that quotes go. */
export interface Reply {
  readonly id: string;
  readonly answerId: string;
  readonly kind: keyof typeof KINDS;
  readonly body: string;
  readonly createdAt: number;
  readonly state: State;
}

/** A reply as it travels: the names are those of the columns. */
export interface ReplyRow {
  readonly id: string;
  readonly quote_id: string;
  readonly answer_id: string;
  readonly kind: Reply['kind'];
  readonly body: string;
}

/** What was accepted, in a message of its own: of the price and the day, and the first of its words. */
export function factsOf({ body, price, validUntil }: Answer): string {
  const facts = [price && `${price.amount} ${price.currency} / ${price.per}`, validUntil].filter(Boolean).join(' · ');
  return [facts, body].filter(Boolean).join('\n').slice(0, LONGEST_FACTS).trim();
}

export type NewReply = Pick<Reply, 'id' | 'answerId' | 'kind' | 'body'>;

export function newReply(reply: NewReply, now: number): Reply {
  return { ...reply, createdAt: now, state: newState(now) };
}

/** An answer is accepted once and seen once; of questions there may be many. */
export function repeats(replies: readonly Reply[], { answerId, kind }: NewReply): boolean {
  return kind !== 'pregunta' && replies.some((reply) => reply.answerId === answerId && reply.kind === kind);
}

/** The answer that a row of the server holds; undefined where it holds none. */
export function answerIn(row: Loose): Answer | undefined {
  const { price, currency, price_for: per, created_at: at, valid_until: validUntil } = row;
  const time = Date.parse(String(at));
  return readAnswer({
    ...row,
    at: time,
    price: price === null ? undefined : { amount: price, currency, per },
    validUntil,
  });
}

/** The answers on disk. One that cannot be understood is left out: the server has it. */
export function readAnswers(kept: unknown): readonly Answer[] {
  return list(kept)
    .flatMap((answer) => readAnswer(answer) ?? [])
    .toSorted((a, b) => a.at - b.at);
}

function readAnswer({ id, at, body, price, validUntil, told }: Loose): Answer | undefined {
  if (typeof id !== 'string' || typeof body !== 'string') return undefined;
  return {
    id,
    at: readTime(at, 0),
    body,
    price: readPrice(price as Parameters<typeof readPrice>[0]),
    validUntil: isDay(String(validUntil)) ? String(validUntil) : undefined,
    told: told === true,
  };
}

/** The replies on disk. One that cannot be understood is shown as refused, never sent by guess. */
export function readReplies(kept: unknown): readonly Reply[] {
  return list(kept).flatMap(({ id, answerId, kind, body, createdAt, state }) => {
    if (typeof id !== 'string') return [];
    const at = readTime(createdAt, 0);
    const known = String(kind) in KINDS;
    const isWhole = known && typeof answerId === 'string' && typeof body === 'string';
    return {
      id,
      answerId: String(answerId),
      kind: known ? (kind as Reply['kind']) : 'pregunta',
      body: typeof body === 'string' ? body : '',
      createdAt: at,
      state: readState(state as Loose | undefined, at, isWhole),
    };
  });
}

export function replyForDisk(reply: Reply): Reply {
  return { ...reply, state: stateForDisk(reply.state) };
}

function list(kept: unknown): readonly Loose[] {
  return Array.isArray(kept) ? kept.filter((each) => typeof each === 'object' && each !== null) : [];
}

/** Both lists as one, each member once. Where both have it, `choose` decides. */
export function union<Member extends { readonly id: string }>(
  one: readonly Member[],
  other: readonly Member[],
  choose: (one: Member, other: Member) => Member,
): readonly Member[] {
  const merged = one.map((member) => {
    const twin = other.find(({ id }) => id === member.id);
    return twin ? choose(member, twin) : member;
  });
  return [...merged, ...other.filter(({ id }) => !one.some((member) => member.id === id))];
}
