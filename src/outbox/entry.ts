import { union } from './conversation.ts';
import { factsOf, type Outgoing } from './messages.ts';
import { folioOf } from '../lead/folio.ts';
import { readState, type State, type WaitingState } from '../lead/kept-state.ts';
import { isAgreed, type HeardState } from '../lead/offer.ts';
import { quoteId, readQuote, type Quote } from '../lead/quote.ts';
import { readAnswers, type Answer } from '../lead/answer.ts';
import { answerOf, isWord, readMessages, type Message } from '../lead/messages.ts';
import { moment, part } from '../lead/shape.ts';
import { newStateAgain } from './state.ts';

/** A quote on this phone, where it stands, and what was said about it since. */
export interface Entry {
  readonly id: string;
  readonly createdAt: number;
  /** When it came here from the phone that had sent it. */
  readonly openedAt?: number;
  /** The id of the delivered quote that this one corrects: the entry of that one may be deleted before this is sent. */
  readonly replaced?: string | undefined;
  /** Gone 30 days after the last word; folio and date stay. */
  readonly quote: Quote | null;
  readonly state: State;
  readonly answers: readonly Answer[];
  readonly messages: readonly Message[];
}

export type Waiting = Entry & { readonly quote: Quote; readonly state: WaitingState };

const KEEP_DETAILS = 30 * 24 * 60 * 60_000;

/**
 * An entry of an older or newer build is completed or, if it cannot be understood, shown: never dropped, never sent by
 * guess. A disk may hold anything in any place: what comes out of here is what its type says.
 */
export function readEntry(kept: Entry): Entry {
  const createdAt = part(moment, kept.createdAt) ?? 0;
  const quote = readQuote(kept.quote);
  return {
    ...kept,
    createdAt,
    quote,
    replaced: part(quoteId, kept.replaced),
    state: readState(kept.state, createdAt, quote !== null),
    answers: readAnswers(kept.answers),
    messages: readMessages(kept.messages),
  };
}

export function isWaiting(entry: Entry): entry is Waiting {
  return entry.state.kind === 'waiting' && entry.quote !== null;
}

/** Something that waits to be sent: a quote, or a message about one. */
export type Parcel = {
  readonly id: string;
  readonly createdAt: number;
  readonly state: WaitingState;
} & (
  | { readonly quote: Quote; readonly replaced: string | undefined; readonly message?: never }
  | { readonly message: Outgoing; readonly quote?: never }
);

/** Messages wait for the delivery of their quote. A superseded quote was delivered before its correction. */
export function parcelsIn(entries: readonly Entry[]): readonly Parcel[] {
  return entries.flatMap((entry): Parcel | readonly Parcel[] => {
    const { id, createdAt } = entry;
    if (isWaiting(entry)) {
      const { quote, state } = entry;
      const { reemplaza } = quote;
      // Of a thousand that correct nothing, a thousand folios each would be reckoned.
      const replaced = reemplaza && (entry.replaced ?? entries.find((other) => folioOf(other.id) === reemplaza)?.id);
      return { id, createdAt, state, quote, replaced };
    }
    const { state } = entry;
    if (state.kind === 'refused' ? state.refusal.kind !== 'superseded' : state.kind !== 'delivered') return [];
    return entry.messages.flatMap((message) =>
      message.state.kind === 'waiting'
        ? { id: message.id, createdAt: message.createdAt, state: message.state, message: outgoing(message, entry) }
        : [],
    );
  });
}

function outgoing(message: Message, { id, answers, openedAt }: Entry): Outgoing {
  const { state: _state, createdAt, ...parts } = message;
  // The server may have lost the answer: only its phone still knows what was accepted.
  const accepted = message.kind === 'aceptada' && answers.find((answer) => answer.id === message.answerId);
  return {
    ...parts,
    pressedAt: createdAt,
    quoteId: id,
    fromLink: openedAt === undefined ? undefined : true,
    facts: accepted ? factsOf(accepted) : undefined,
  };
}

/** Makes wait again what was delivered, is still here, and is not known to the server. */
export function sendAgain(entry: Entry, unknown: ReadonlySet<string>, now: number): Entry {
  // With a quote goes all that was said of it, also what nobody has asked about.
  const lost = deliveredIds([entry]).filter((id) => unknown.has(id) || unknown.has(entry.id));
  const again = <Thing extends { readonly id: string; readonly state: State }>(thing: Thing): Thing =>
    lost.includes(thing.id) && thing.state.kind === 'delivered'
      ? { ...thing, state: newStateAgain(thing.state, now) }
      : thing;
  return lost.length > 0 ? { ...again(entry), messages: entry.messages.map(again) } : entry;
}

/** The ids of quotes and messages that the server has, as far as this phone knows. That an answer was seen has no id. */
export function deliveredIds(entries: readonly Entry[]): readonly string[] {
  return entries.flatMap(({ id, quote, state, messages }) => {
    if (!quote || state.kind !== 'delivered') return [];
    const delivered = messages.filter((message) => message.kind !== 'vista' && message.state.kind === 'delivered');
    return [id, ...delivered.map((message) => message.id)];
  });
}

/** Words of a person that nobody has received yet. That an answer was seen is said by the phone itself. */
export function unsentIn(entries: readonly Entry[]): readonly Parcel[] {
  return parcelsIn(entries).filter(({ message }) => message?.kind !== 'vista');
}

/**
 * The entries to write when what waits gets this state: none if it is gone, corrected meanwhile, or does not wait any more.
 * A page that lost its lock while it sent may hear of its try after another has brought it to an end, or while another
 * sends: then `state` counts only if it is an end.
 */
export function withState(
  entries: readonly Entry[],
  { id, createdAt, state: { sendingUntil } }: Pick<Parcel, 'id' | 'createdAt' | 'state'>,
  state: State,
): readonly Entry[] {
  const isMeant = (thing: Entry | Message) =>
    thing.id === id &&
    thing.createdAt === createdAt &&
    thing.state.kind === 'waiting' &&
    (state.kind !== 'waiting' || thing.state.sendingUntil === sendingUntil);
  return entries.flatMap((entry) => {
    if (isMeant(entry)) return { ...entry, state };
    if (!entry.messages.some(isMeant)) return [];
    const messages = entry.messages.map((message) => (isMeant(message) ? { ...message, state } : message));
    return { ...entry, messages };
  });
}

/** With what the server said of an offer beside its answers. */
export function withOffer(entry: Entry, answerId: string | undefined, state: HeardState): Entry {
  return { ...entry, answers: entry.answers.map((answer) => (answer.id === answerId ? { ...answer, state } : answer)) };
}

/** An entry on disk with what memory knows beyond it. What is settled is newer than what waits. */
export function withHeld(stored: Entry, held: Entry): Entry {
  const settled = <Thing extends { readonly state: State }>(one: Thing, other: Thing) =>
    one.state.kind === 'waiting' ? other : one;
  return {
    ...stored,
    state: settled(stored, held).state,
    answers: union(stored.answers, held.answers, (one, other) =>
      one.told && (one.stateAt ?? 0) >= (other.stateAt ?? 0) ? one : other,
    ),
    messages: union(stored.messages, held.messages, settled),
  };
}

/** Does its sender wait for a word of the sales team? One that another has replaced is answered with that one. */
export function awaitsAnswer(entry: Entry, entries: readonly Entry[]): boolean {
  if (entry.state.kind !== 'delivered' || !entry.quote || replacementOf(entry, entries)) return false;
  const answered = Math.max(0, ...entry.answers.map(({ at }) => at));
  // What was accepted, here or elsewhere, has an end to come.
  const isAccepted = entry.answers.some(({ state }) => state === 'aceptada');
  return answered === 0 || isAccepted || entry.messages.some((message) => asks(message, entry.answers, answered));
}

/** A question asks for an answer, an acceptance for what became of the offer. */
function asks(message: Message, answers: readonly Answer[], answered: number): boolean {
  const { state } = message;
  if (!isWord(message) || state.kind !== 'delivered') return false;
  const { kind, answerId } = message;
  const offer = answers.find(({ id }) => id === answerId)?.state;
  if (kind === 'aceptada' && !offer) return false;
  if (kind === 'aceptada' && offer === 'vigente') return true;
  return state.at > answered && (kind === 'pregunta' || !isAgreed(offer));
}

/** Counts of what needs the visitor: words that wait to be sent, quotes to be corrected, and quotes with an answer not yet seen. */
export function attentionIn(entries: readonly Entry[], isOnItsWay: (state: State) => boolean = () => false) {
  const waiting = unsentIn(entries).filter(({ state }) => !isOnItsWay(state)).length;
  const correction = entries.filter(
    ({ state }) => state.kind === 'refused' && (state.refusal.kind === 'invalid' || state.refusal.kind === 'rejected'),
  ).length;
  const unseen = entries.filter(hasUnseenAnswer).length;
  return { waiting, correction, unseen, count: waiting + correction + unseen };
}

export function hasUnseenAnswer({ answers, messages }: Entry): boolean {
  return answers.some(({ id }) => !messages.some((message) => answerOf(message) === id));
}

/** The folio of the delivered quote by which one was corrected. Until that has arrived, the earlier one is what counts. */
export function replacementOf({ id }: Entry, entries: readonly Entry[]): string | undefined {
  const folio = folioOf(id);
  const replacement = entries
    .filter(({ quote, state }) => state.kind === 'delivered' && quote?.reemplaza === folio)
    .toSorted((a, b) => b.createdAt - a.createdAt)[0];
  return replacement && folioOf(replacement.id);
}

/** Drops the personal data of what is over, when its time has come. */
export function forget(entry: Entry, now: number, shared: boolean): Entry {
  const { createdAt, state, answers, messages } = entry;
  // What came to it after it was forgotten is forgotten once it went.
  if (!entry.quote && messages.length > 0 && parcelsIn([entry]).length === 0) return { ...entry, messages: [] };
  if (!entry.quote || state.kind === 'waiting') return entry;
  if (state.kind === 'refused' && state.refusal.kind !== 'known' && state.refusal.kind !== 'superseded') return entry;
  // What can never go, of a quote that the server does not have, keeps nothing.
  if (parcelsIn([entry]).length > 0) return entry;
  const lastWord = Math.max(
    part(moment, entry.openedAt) ?? 0,
    // By this phone's clock, where that is ahead of the server's: the text would be gone with its delivery.
    createdAt <= now ? createdAt : 0,
    state.at,
    ...answers.map(({ at }) => at),
    ...messages.map((message) => message.createdAt),
  );
  return shared || lastWord + KEEP_DETAILS <= now
    ? { ...entry, quote: null, replaced: undefined, answers: [], messages: [] }
    : entry;
}
