import type { Answer, Reply } from '../lead/said.ts';
import type { Loose } from '../lead/shape.ts';
import { newState } from './new-entry.ts';

/** The column of a reply takes 2000 characters. */
const LONGEST_FACTS = 1900;

/** A reply as it travels: the names are those of the columns. */
export interface ReplyRow {
  readonly id: string;
  readonly quote_id: string;
  readonly answer_id: string;
  readonly kind: Reply['kind'];
  readonly body: string;
  /** Words that were said on a phone that had opened a link. */
  readonly enlace?: true | undefined;
  /** Of an acceptance and of details: when it was pressed. */
  readonly pressedAt?: number | undefined;
  /** What was accepted, for a server that has lost the answer. */
  readonly facts?: string;
  /** Of details, and of a file: all that they say. */
  readonly details?: Loose | undefined;
}

/** The offer that was accepted, in a message of its own: the price and the day, and the first of its words. */
export function factsOf({ body, price, kilos, validUntil }: Answer): string {
  const facts = [price && `${price.amount} ${price.currency} / ${price.per}`, kilos && `${kilos} kg`, validUntil]
    .filter(Boolean)
    .join(' · ');
  return [facts, body].filter(Boolean).join('\n').slice(0, LONGEST_FACTS).trim();
}

export type NewReply = Pick<Reply, 'id' | 'answerId' | 'kind' | 'body' | 'details'>;

export function newReply(reply: NewReply, now: number): Reply {
  return { ...reply, createdAt: now, state: newState(now) };
}

/** An answer is accepted once and seen once, a file is sent once; of all else there may be many. */
export function repeats(replies: readonly Reply[], { id, answerId, kind }: NewReply): boolean {
  return replies.some((reply) =>
    kind === 'archivo'
      ? reply.id === id && reply.state.kind !== 'refused'
      : (kind === 'aceptada' || kind === 'vista') && reply.answerId === answerId && reply.kind === kind,
  );
}

/** The answer as it is to be kept, if it says anything that the phone does not know. */
export function news(heard: Answer, known: readonly Answer[]): Answer | undefined {
  const before = known.find(({ id }) => id === heard.id);
  if (!before) return heard;
  const { state } = heard;
  // That it was withdrawn may be known without the word why.
  if (state === before.state && heard.word === before.word) return undefined;
  const isToBeTold = state === 'retirada' || state === 'reservada' || state === 'sinespacio';
  return { ...heard, told: before.told && !isToBeTold };
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
