import { promisedUntil } from '../lead/promise.ts';
import type { Bilingual } from '../content/bilingual.ts';
import { config } from '../config.ts';
import { answers as answerWords } from '../content/answers.ts';
import { receipt, states } from '../content/quote-states.ts';
import { lastStepName } from '../content/step-names.ts';
import { acceptableOffer, describeAnswer, serverNow } from './describe-answer.ts';
import { dateInWords, momentInWords } from '../content/dates.ts';
import { priceInWords } from '../content/prices.ts';
import { isAgreed } from '../lead/offer.ts';
import type { DeliveredState } from '../lead/delivery-state.ts';
import { timeInTijuana } from '../lead/tijuana.ts';
import type { Entry } from '../outbox/entry.ts';
import { messagesOfKind, type Message } from '../lead/messages.ts';
import { folioOf } from '../lead/folio.ts';
import { refusalMessage } from '../content/refusals.ts';
import { isOnItsWay, PROBE_EVERY } from '../outbox/state.ts';

export type Look = keyof typeof states;

/**
 * Part of the flight path in the receipt's drawing that the quote has covered, from 0 to 1. The path leads from the
 * phone to the sales team.
 */
export const FLOWN: Readonly<Record<Look, number>> = {
  waiting: 0,
  sending: 0.5,
  delivered: 1,
  answered: 1,
  accepted: 1,
  correction: 0,
  known: 1,
};

/** Facts about a quote that are not in its outbox entry. */
export interface EntryContext {
  /** Folio of the quote that corrects this one. */
  readonly replacedBy?: string | undefined;
  /** True if the browser sends waiting quotes even while no page is open. */
  readonly sendsClosed?: boolean;
}

/**
 * Describes a quote: the appearance of its receipt, the name of its state, and what comes next. `online`:
 * `navigator.onLine`.
 */
export function describeEntry(
  entry: Entry,
  now: number,
  online = true,
  context: EntryContext = {},
): { readonly look: Look; readonly word: Bilingual; readonly next: readonly Bilingual[] } {
  const look = lookOf(entry, now, online);
  const booked = look === 'accepted' ? entry.answers.findLast((answer) => answer.state === 'reservada') : undefined;
  return {
    look,
    word: booked ? (lastStepName(booked.track) ?? answerWords.outcome.reservada) : states[look],
    next: nextFor(entry, look, now, online, context),
  };
}

function lookOf({ state, answers, messages }: Entry, now: number, online: boolean): Look {
  switch (state.kind) {
    case 'delivered':
      if (answers.length === 0) return 'delivered';
      // The states of the answers are checked too, because the offer may have been accepted on another phone.
      return answers.some((answer) => answer.state === 'aceptada' || answer.state === 'reservada') ||
        messagesOfKind(messages, 'aceptada').some((word) => word.state.kind === 'delivered' && holds(word, answers))
        ? 'accepted'
        : 'answered';
    case 'waiting':
      return online && isOnItsWay(state, now) ? 'sending' : 'waiting';
    case 'refused':
      return state.refusal.kind === 'known' || state.refusal.kind === 'superseded' ? 'known' : 'correction';
  }
}

/**
 * True if the acceptance is binding, as far as this phone knows. An offer that an older release stored has no state,
 * and its acceptance counts as binding.
 */
function holds({ answerId }: Message<'aceptada'>, answers: Entry['answers']): boolean {
  const state = answers.find(({ id }) => id === answerId)?.state;
  return state === undefined || state === 'vigente' || state === 'aceptada' || state === 'reservada';
}

function nextFor(
  entry: Entry,
  look: Look,
  now: number,
  online: boolean,
  { replacedBy, sendsClosed = true }: EntryContext,
): readonly Bilingual[] {
  const { id, state, answers, messages } = entry;
  const whileClosed = sendsClosed ? [receipt.clock] : [receipt.onlyOpen, receipt.clock];
  switch (state.kind) {
    case 'delivered': {
      const present = serverNow(entry, now);
      const resent = state.resentAt === undefined ? [] : [receipt.sentAgain(dateInWords(state.resentAt, now))];
      const replaced = [...resent, ...(replacedBy ? [receipt.replacedBy(replacedBy)] : [])];
      if (look === 'accepted') return [...describeAgreement(entry, present), ...replaced];
      const isAcceptanceWaiting = messagesOfKind(messages, 'aceptada').some((word) => word.state.kind === 'waiting');
      if (isAcceptanceWaiting) return [answerWords.acceptanceSaved, ...replaced];
      const offer = acceptableOffer(entry, present);
      if (offer) return [answerWords.at(momentInWords(offer.at, present)), ...replaced];
      if (answers.length > 0) return [describeAnswer(answers.at(-1)!, messages, present), ...replaced];
      // The team answers the correction, so the deadline is shown only on the correction's receipt.
      if (replacedBy) return [receipt.received(dateInWords(state.at, present)), ...replaced];
      return [...describeDelivery(state, present, folioOf(id)), ...resent];
    }
    case 'refused':
      return [replacedBy ? receipt.replacedBy(replacedBy) : refusalMessage(state.refusal)];
    case 'waiting':
      if (state.deliveredAt !== undefined) return [receipt.sendsAgain(dateInWords(state.deliveredAt, now))];
      if (look === 'sending') return [receipt.sending];
      // `online` is reliable only if it is false: browsers say true even if the connection does not work.
      if (!online && (state.trouble === 'none' || state.trouble === 'unreachable'))
        return [receipt.offline, ...whileClosed];
      return [
        receipt.waiting[state.trouble],
        nextTry(state.trouble === 'unreachable' ? Math.min(state.nextTry, now + PROBE_EVERY) : state.nextTry, now),
        ...whileClosed,
      ];
  }
}

function describeAgreement({ answers, messages }: Entry, now: number): readonly Bilingual[] {
  const own = messagesOfKind(messages, 'aceptada').findLast(({ state }) => state.kind === 'delivered');
  const agreed = answers.findLast(({ state }) => isAgreed(state)) ?? answers.find(({ id }) => id === own?.answerId);
  if (agreed?.state === 'reservada') return lastStepName(agreed.track) ? [] : [answerWords.booked];
  const price = agreed?.price ? priceInWords(agreed.price, agreed.kilos) : answerWords.thisAnswer;
  const deadline = own?.state.kind === 'delivered' ? promisedUntil(own.state) : 0;
  return [
    own ? answerWords.done(price) : describeAnswer(agreed!, messages, now),
    ...(now < deadline ? [answerWords.weConfirm(timeInTijuana(deadline))] : []),
  ];
}

/** Describes a delivery. `at` and `now` are times of the server's clock. */
function describeDelivery(state: DeliveredState, now: number, folio: string): readonly Bilingual[] {
  const deadline = promisedUntil(state);
  const received = dateInWords(state.at, now);
  if (now < deadline) return [receipt.delivered(received, timeInTijuana(deadline))];
  return [receipt.received(received), receipt.late((deadline - state.at) / 3_600_000, folio, config.company.phone)];
}

function nextTry(at: number, now: number): Bilingual {
  return at - now < 60_000 ? receipt.nextTrySoon : receipt.nextTryAt(onThisPhone.format(at));
}

const onThisPhone = new Intl.DateTimeFormat('es-MX', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
