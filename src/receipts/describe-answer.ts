import { promisedUntil } from '../lead/promise.ts';
import { answers as words } from '../content/answers.ts';
import type { Bilingual } from '../content/bilingual.ts';
import { joined } from '../content/sentences.ts';
import { priceInWords } from '../content/prices.ts';
import { config } from '../config.ts';
import type { Answer } from '../lead/answer.ts';
import { messagesOfKind, type Message } from '../lead/messages.ts';
import type { Entry } from '../outbox/entry.ts';
import { dayInWords, momentInWords } from '../content/dates.ts';
import { isPast, timeInTijuana } from '../lead/tijuana.ts';
import { isAgreed } from '../lead/offer.ts';
import { folioOf } from '../lead/folio.ts';

/** Describes an answer, for example 'Respondida a las 15:20 · US $4.10 por kilo · válida hasta el 28 de noviembre'. */
export function describeAnswer(answer: Answer, messages: Entry['messages'], now: number): Bilingual {
  const { at, kind, price, kilos, validUntil, state, word } = answer;
  // If the offer was accepted on this phone, a separate message shows the acceptance.
  const isAcceptedHere = messagesOfKind(messages, 'aceptada').some(({ answerId }) => answerId === answer.id);
  return joined(
    [
      words[kind === 'pregunta' ? 'askedAt' : 'at'](momentInWords(at, now)),
      price && priceInWords(price, kilos),
      state === 'reemplazada' && words.reemplazada,
      state === 'retirada' && words.retirada(word),
      state === 'sinoferta' && words.sinoferta,
      validUntil &&
        !isAgreed(state) &&
        state !== 'sinoferta' &&
        words[isExpired(answer, now) ? 'expired' : 'validUntil'](dayInWords(validUntil, now)),
      ...(isAgreed(state) && !isAcceptedHere ? [words.acceptedElsewhere, ...outcomeOf(answer, now)] : []),
    ],
    ' · ',
  );
}

/** Describes what happened after the acceptance of an offer. */
function outcomeOf(
  { state, stateAt, reference, word }: Answer,
  now: number,
): readonly (Bilingual | false | '' | undefined)[] {
  if (state !== 'reservada' && state !== 'sinespacio') return [];
  return [
    words.outcome[state],
    stateAt !== undefined && momentInWords(stateAt, now),
    reference && words.reference(reference),
    // Texts written by the sales team are not translated.
    word && { es: word, en: '' },
  ];
}

/**
 * Returns the present time of the server's clock. If the phone dated the quote after the server received it, the
 * phone's clock is fast by at least that difference.
 */
export function serverNow({ createdAt, state }: Pick<Entry, 'createdAt' | 'state'>, now: number): number {
  return state.kind === 'delivered' ? Math.max(state.at, now - Math.max(0, createdAt - state.at)) : now;
}

/** Returns the valid offer that is not accepted yet; undefined if there is none. */
export function acceptableOffer(
  { answers, messages }: Pick<Entry, 'answers' | 'messages'>,
  now: number,
): Answer | undefined {
  const offer = answers.findLast(({ state }) => state === 'vigente');
  const isAccepted = messagesOfKind(messages, 'aceptada').some(({ answerId }) => answerId === offer?.id);
  return offer && !isAccepted && !isExpired(offer, now) ? offer : undefined;
}

const isExpired = ({ validUntil }: Answer, now: number) => validUntil !== undefined && isPast(validUntil, now);

/** Describes an acceptance or a question: whether it was sent, its result, and the deadline of the next answer. */
export function describeReply(
  { kind, createdAt, state }: Message<'aceptada' | 'pregunta'>,
  quoteId: string,
  answer: Answer | undefined,
  answered: number,
  now: number,
): Bilingual {
  const what = kind === 'aceptada' ? words.accepted : answer?.kind === 'pregunta' ? words.replied : words.asked;
  switch (state.kind) {
    case 'waiting':
      return joined([what, words.waiting], ' · ');
    case 'refused':
      return joined([what, words.refused(folioOf(quoteId), config.company.phone)], ' · ');
    case 'delivered': {
      // If the phone dated the reply after the server received it, the phone's clock is fast by at least that
      // difference.
      const ahead = Math.max(0, createdAt - state.at);
      const deadline = promisedUntil(state);
      const end = kind === 'aceptada' ? answer?.state : undefined;
      // After a binding acceptance the deadline is shown until the team has booked the space or found none.
      const isOpen = (answered < state.at || end === 'aceptada') && now - ahead < deadline;
      const time = timeInTijuana(deadline);
      if (end === 'vencida' || end === 'reemplazada' || end === 'retirada' || end === 'sinoferta') {
        const day = dayInWords(answer!.validUntil ?? '', now);
        const why = end === 'vencida' ? words.unbound.vencida(day) : words.unbound[end];
        return isOpen ? joined([why, words.weAnswer(time)], '; ') : why;
      }
      if (end === 'reservada' || end === 'sinespacio') return joined([what, ...outcomeOf(answer!, now)], ' · ');
      return joined(
        [what, words.delivered(momentInWords(state.at, now - ahead)), isOpen && words.replyBy(time)],
        ' · ',
      );
    }
  }
}
