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
  // An acceptance sent from this phone is shown as a message of its own.
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

/** Text for the outcome of an accepted offer. */
function outcomeOf(
  { state, stateAt, reference, word }: Answer,
  now: number,
): readonly (Bilingual | false | '' | undefined)[] {
  if (state !== 'reservada' && state !== 'sinespacio') return [];
  return [
    words.outcome[state],
    stateAt !== undefined && momentInWords(stateAt, now),
    reference && words.reference(reference),
    // Texts that the sales team wrote are not translated.
    word && { es: word, en: '' },
  ];
}

/**
 * Current time by the server's clock. If `createdAt` is later than the server's time of delivery, the phone's clock is
 * fast by at least the difference.
 */
export function serverNow({ createdAt, state }: Pick<Entry, 'createdAt' | 'state'>, now: number): number {
  return state.kind === 'delivered' ? Math.max(state.at, now - Math.max(0, createdAt - state.at)) : now;
}

/** Valid offer that is not accepted yet; undefined if there is none. */
export function acceptableOffer(
  { answers, messages }: Pick<Entry, 'answers' | 'messages'>,
  now: number,
): Answer | undefined {
  const offer = answers.findLast(({ state }) => state === 'vigente');
  const isAccepted = messagesOfKind(messages, 'aceptada').some(({ answerId }) => answerId === offer?.id);
  return offer && !isAccepted && !isExpired(offer, now) ? offer : undefined;
}

const isExpired = ({ validUntil }: Answer, now: number) => validUntil !== undefined && isPast(validUntil, now);

/** Describes an acceptance or question: whether it was sent, its outcome, and the deadline of the next answer. */
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
      // If the phone dates the reply after the server's time of delivery, the phone's clock is fast by at least the
      // difference.
      const ahead = Math.max(0, createdAt - state.at);
      const deadline = promisedUntil(state);
      const end = kind === 'aceptada' ? answer?.state : undefined;
      // A binding acceptance shows its deadline until the team has booked the space or found none.
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
