import { mergeById } from './merge-answers.ts';
import { factsOf, type Outgoing } from './messages.ts';
import { folioOf } from '../lead/folio.ts';
import { readDeliveryState, type DeliveryState, type WaitingState } from '../lead/delivery-state.ts';
import { isAgreed, type PhoneOfferState } from '../lead/offer.ts';
import { quoteId, readQuote, type Quote } from '../lead/quote.ts';
import { readAnswers, type Answer } from '../lead/answer.ts';
import { answerIdOf, isReply, readMessages, type Message } from '../lead/messages.ts';
import { timestamp, readValue } from '../lead/validation.ts';
import { resendState } from './state.ts';

export interface Entry {
  readonly id: string;
  readonly createdAt: number;
  /** Time when this phone opened the quote by a link from the phone that had sent it. */
  readonly openedAt?: number;
  /**
   * Id of the quote that this quote corrects. Stored here, because the entry of the corrected quote may be deleted
   * before the correction is sent.
   */
  readonly replaced?: string | undefined;
  /** Null after the personal data were removed (`forget`, below). Folio and date stay. */
  readonly quote: Quote | null;
  readonly state: DeliveryState;
  readonly answers: readonly Answer[];
  readonly messages: readonly Message[];
}

export type WaitingEntry = Entry & { readonly quote: Quote; readonly state: WaitingState };

const KEEP_DETAILS = 30 * 24 * 60 * 60_000;

/**
 * Validates an entry that was read from disk. Fields that another release did not write get default values. An
 * unreadable entry is shown, never dropped and never sent.
 */
export function readEntry(stored: Entry): Entry {
  const createdAt = readValue(timestamp, stored.createdAt) ?? 0;
  const quote = readQuote(stored.quote);
  return {
    ...stored,
    createdAt,
    quote,
    replaced: readValue(quoteId, stored.replaced),
    state: readDeliveryState(stored.state, createdAt, quote !== null),
    answers: readAnswers(stored.answers),
    messages: readMessages(stored.messages),
  };
}

export function isWaiting(entry: Entry): entry is WaitingEntry {
  return entry.state.kind === 'waiting' && entry.quote !== null;
}

export type Parcel = {
  readonly id: string;
  readonly createdAt: number;
  readonly state: WaitingState;
} & (
  | { readonly quote: Quote; readonly replaced: string | undefined; readonly message?: never }
  | { readonly message: Outgoing; readonly quote?: never }
);

/**
 * Lists the quotes and messages that wait to be sent. A message waits until its quote is delivered. A superseded quote
 * counts as delivered here, because the server has an earlier text of it.
 */
export function parcelsIn(entries: readonly Entry[]): readonly Parcel[] {
  return entries.flatMap((entry): Parcel | readonly Parcel[] => {
    const { id, createdAt } = entry;
    if (isWaiting(entry)) {
      const { quote, state } = entry;
      const { reemplaza } = quote;
      // Folios are computed only if the quote is a correction. Otherwise 1,000 waiting quotes would compute a million
      // folios.
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
  // If the server has lost the offer, only this phone knows what was accepted. The acceptance therefore carries the
  // facts of the offer.
  const accepted = message.kind === 'aceptada' && answers.find((answer) => answer.id === message.answerId);
  return {
    ...parts,
    pressedAt: createdAt,
    quoteId: id,
    fromLink: openedAt === undefined ? undefined : true,
    facts: accepted ? factsOf(accepted) : undefined,
  };
}

/** Marks the quote and the messages that the server has lost as waiting, so that they are sent again. */
export function sendAgain(entry: Entry, unknown: ReadonlySet<string>, now: number): Entry {
  // If the server has lost a quote, it has lost all its messages too, so all are sent again.
  const lost = deliveredIds([entry]).filter((id) => unknown.has(id) || unknown.has(entry.id));
  const waitAgain = <Thing extends { readonly id: string; readonly state: DeliveryState }>(thing: Thing): Thing =>
    lost.includes(thing.id) && thing.state.kind === 'delivered'
      ? { ...thing, state: resendState(thing.state, now) }
      : thing;
  return lost.length > 0 ? { ...waitAgain(entry), messages: entry.messages.map(waitAgain) } : entry;
}

/**
 * Lists the ids of delivered quotes and messages. Messages of the kind 'vista' are not listed: the server does not
 * store their ids.
 */
export function deliveredIds(entries: readonly Entry[]): readonly string[] {
  return entries.flatMap(({ id, quote, state, messages }) => {
    if (!quote || state.kind !== 'delivered') return [];
    const delivered = messages.filter((message) => message.kind !== 'vista' && message.state.kind === 'delivered');
    return [id, ...delivered.map((message) => message.id)];
  });
}

/**
 * Lists waiting quotes and messages that the visitor wrote. Messages of the kind 'vista' are not listed: the phone
 * sends them by itself.
 */
export function unsentIn(entries: readonly Entry[]): readonly Parcel[] {
  return parcelsIn(entries).filter(({ message }) => message?.kind !== 'vista');
}

/**
 * Returns the entry with a new state for the quote or message; an empty list if that was removed, corrected or has a
 * final state. A page that lost the flush lock may report late: while another page sends the same quote or message,
 * only a final state is stored.
 */
export function withState(
  entries: readonly Entry[],
  { id, createdAt, state: { sendingUntil } }: Pick<Parcel, 'id' | 'createdAt' | 'state'>,
  state: DeliveryState,
): readonly Entry[] {
  const isParcel = (thing: Entry | Message) =>
    thing.id === id &&
    thing.createdAt === createdAt &&
    thing.state.kind === 'waiting' &&
    (state.kind !== 'waiting' || thing.state.sendingUntil === sendingUntil);
  return entries.flatMap((entry) => {
    if (isParcel(entry)) return { ...entry, state };
    if (!entry.messages.some(isParcel)) return [];
    const messages = entry.messages.map((message) => (isParcel(message) ? { ...message, state } : message));
    return { ...entry, messages };
  });
}

/** Returns the entry with the state of an offer that the server reported in its response to an acceptance. */
export function withOffer(entry: Entry, answerId: string | undefined, state: PhoneOfferState): Entry {
  return { ...entry, answers: entry.answers.map((answer) => (answer.id === answerId ? { ...answer, state } : answer)) };
}

/**
 * Merges the entry on disk with the newer version in memory, which a full disk refused to store. A delivered or refused
 * state wins over a waiting state.
 */
export function mergeEntries(stored: Entry, memory: Entry): Entry {
  // Takes the state in memory if the entry on disk still waits. If `createdAt` differs, the text on disk was corrected
  // in the meantime, and the state in memory belongs to the earlier text.
  const settled = <Thing extends { readonly createdAt: number; readonly state: DeliveryState }>(
    one: Thing,
    other: Thing,
  ) => (one.state.kind === 'waiting' && one.createdAt === other.createdAt ? other : one);
  return {
    ...stored,
    state: settled(stored, memory).state,
    answers: mergeById(stored.answers, memory.answers, (one, other) =>
      one.announced && (one.stateAt ?? 0) >= (other.stateAt ?? 0) ? one : other,
    ),
    messages: mergeById(stored.messages, memory.messages, settled),
  };
}

/**
 * True if the exporter waits for an answer to this quote. False if another quote corrects it, because the team then
 * answers the correction.
 */
export function awaitsAnswer(entry: Entry, entries: readonly Entry[]): boolean {
  if (entry.state.kind !== 'delivered' || !entry.quote || replacementOf(entry, entries)) return false;
  const answered = Math.max(0, ...entry.answers.map(({ at }) => at));
  // After an acceptance there is more to come: the booking, and the shipment's milestones until it is delivered.
  const isAccepted = entry.answers.some((answer) => answer.state === 'aceptada' || Boolean(isUnderWay(answer)));
  return answered === 0 || isAccepted || entry.messages.some((message) => asks(message, entry.answers, answered));
}

/**
 * True if the answer has a shipment that is not delivered yet. Searches the JSON text, because a parser would make the
 * script larger.
 */
const isUnderWay = ({ track }: Answer) => track && !JSON.stringify(track).includes('"entregada"');

function asks(message: Message, answers: readonly Answer[], answered: number): boolean {
  const { state } = message;
  if (!isReply(message) || state.kind !== 'delivered') return false;
  const { kind, answerId } = message;
  const offer = answers.find(({ id }) => id === answerId)?.state;
  if (kind === 'aceptada' && !offer) return false;
  if (kind === 'aceptada' && offer === 'vigente') return true;
  return state.at > answered && (kind === 'pregunta' || !isAgreed(offer));
}

/**
 * Counts what the visitor should look at: unsent quotes and messages, quotes to correct, and quotes with an unseen
 * answer.
 */
export function attentionIn(entries: readonly Entry[], isOnItsWay: (state: DeliveryState) => boolean = () => false) {
  const waiting = unsentIn(entries).filter(({ state }) => !isOnItsWay(state)).length;
  const correction = entries.filter(
    ({ state }) => state.kind === 'refused' && (state.refusal.kind === 'invalid' || state.refusal.kind === 'rejected'),
  ).length;
  const unseen = entries.filter(hasUnseenAnswer).length;
  return { waiting, correction, unseen, count: waiting + correction + unseen };
}

export function hasUnseenAnswer({ answers, messages }: Entry): boolean {
  return answers.some(({ id }) => !messages.some((message) => answerIdOf(message) === id));
}

/** Folio of the delivered quote that corrects this one; undefined if there is none. */
export function replacementOf({ id }: Entry, entries: readonly Entry[]): string | undefined {
  const folio = folioOf(id);
  const replacement = entries
    .filter(({ quote, state }) => state.kind === 'delivered' && quote?.reemplaza === folio)
    .toSorted((a, b) => b.createdAt - a.createdAt)[0];
  return replacement && folioOf(replacement.id);
}

/**
 * Removes the personal data of a finished quote: at once on a shared phone, otherwise 30 days after the last event of
 * the quote.
 */
export function forget(entry: Entry, now: number, shared: boolean): Entry {
  const { createdAt, state, answers, messages } = entry;
  if (!entry.quote && messages.length > 0 && parcelsIn([entry]).length === 0) return { ...entry, messages: [] };
  if (!entry.quote || state.kind === 'waiting') return entry;
  if (state.kind === 'refused' && state.refusal.kind !== 'known' && state.refusal.kind !== 'superseded') return entry;
  if (parcelsIn([entry]).length > 0) return entry;
  const lastWord = Math.max(
    readValue(timestamp, entry.openedAt) ?? 0,
    // `createdAt` is included because the server's times alone are not enough: on a phone whose clock is a month fast,
    // a quote would already count as 30 days old at its delivery.
    createdAt <= now ? createdAt : 0,
    state.at,
    ...answers.map(({ at, track }) => Math.max(at, Date.parse((track as { until?: string } | null)?.until ?? '') || 0)),
    ...messages.map((message) => message.createdAt),
  );
  return shared || lastWord + KEEP_DETAILS <= now
    ? { ...entry, quote: null, replaced: undefined, answers: [], messages: [] }
    : entry;
}
