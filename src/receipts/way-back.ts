import type { Bilingual } from '../content/bilingual.ts';
import { englishWords, mainWords } from '../content/bilingual.ts';
import { priceInWords } from '../content/prices.ts';
import { joined } from '../content/sentences.ts';
import { wayBack as words } from '../content/way-back.ts';
import { folioOf } from '../lead/folio.ts';
import { messagesOfKind } from '../lead/messages.ts';
import { isAgreed } from '../lead/offer.ts';
import { promisedUntil } from '../lead/promise.ts';
import { timeInTijuana } from '../lead/tijuana.ts';
import { hasUnseenAnswer, replacementOf, unsentIn, type Entry } from '../outbox/entry.ts';
import { acceptableOffer, serverNow } from './describe-answer.ts';
import { describeEntry, FLOWN } from './describe-entry.ts';
import { byUrgency } from './quote-order.ts';
import './way-back.css';

/** Fills the link above the hero with the state of the most urgent quote. */
export function showWayBack(entries: readonly Entry[], now: number, online: boolean): void {
  const link = document.querySelector<HTMLElement>('.way');
  const [entry] = byUrgency(entries);
  if (!link || !entry) return;
  const { look, word } = describeEntry(entry, now, online);
  const fact = factOf(entry, entries, now, online);
  link.dataset['look'] = look === 'correction' || FLOWN[look] === 1 ? look : 'waiting';
  link.title = englishWords(joined([word, fact], ' · '));
  const [head, rest] = [document.createElement('b'), document.createElement('span')];
  head.textContent = `${folioOf(entry.id)} · ${mainWords(word)}`;
  rest.textContent = fact ? mainWords(fact) : '';
  link.firstElementChild!.replaceChildren(head, ' ', rest);
}

/** Returns the most useful fact about a quote in its present state. */
export function factOf(entry: Entry, entries: readonly Entry[], now: number, online: boolean): Bilingual | undefined {
  const { state, answers, messages } = entry;
  const present = serverNow(entry, now);
  switch (describeEntry(entry, now, online).look) {
    case 'sending':
      return words.sending;
    case 'waiting':
      return words.waiting(unsentIn(entries).length);
    case 'correction':
      return replacementOf(entry, entries) ? undefined : words.correct;
    case 'known':
      return undefined;
    case 'delivered': {
      if (state.kind !== 'delivered' || replacementOf(entry, entries)) return undefined;
      const until = promisedUntil(state);
      return present < until ? words.answerBefore(timeInTijuana(until)) : words.late;
    }
    case 'answered': {
      const accepted = messagesOfKind(messages, 'aceptada').at(-1);
      if (accepted?.state.kind === 'waiting') return words.accepting;
      const offer = acceptableOffer(entry, present);
      if (offer?.price) return words.offer(priceInWords(offer.price));
      if (answers.at(-1)?.kind === 'pregunta') return words.question;
      return hasUnseenAnswer(entry) ? words.news : undefined;
    }
    case 'accepted': {
      const agreed = answers.findLast((answer) => isAgreed(answer.state));
      if (agreed?.state === 'sinespacio') return words.noSpace;
      if (agreed?.state === 'reservada') return agreed.reference ? words.reference(agreed.reference) : undefined;
      const own = messagesOfKind(messages, 'aceptada').findLast((message) => message.state.kind === 'delivered')?.state;
      const until = own?.kind === 'delivered' ? promisedUntil(own) : 0;
      return present < until ? words.confirmBefore(timeInTijuana(until)) : undefined;
    }
  }
}
