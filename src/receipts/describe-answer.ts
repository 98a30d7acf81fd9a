import { promisedUntil } from '../lead/promise.ts';
import { answers as words } from '../content/answers.ts';
import type { Bilingual } from '../content/bilingual.ts';
import { priceInWords } from '../content/prices.ts';
import { config } from '../config.ts';
import type { Answer, Reply } from '../lead/said.ts';
import { dayInWords, momentInWords } from '../content/dates.ts';
import { dayInTijuana, timeInTijuana } from '../lead/tijuana.ts';
import { folioOf } from '../lead/folio.ts';

/** 'Respondida 15:20 · US $4.10 por kilo · válida hasta el 28 de noviembre'. */
export function describeAnswer(answer: Answer, now: number): Bilingual {
  const { at, price, validUntil } = answer;
  return joined([
    words.at(momentInWords(at, now)),
    price && priceInWords(price),
    validUntil && words[isOver(answer, now) ? 'expired' : 'validUntil'](dayInWords(validUntil, now)),
  ]);
}

/** The last day counts, where it ends for the people who gave it. */
export function isOver({ validUntil }: Answer, now: number): boolean {
  return validUntil !== undefined && validUntil < dayInTijuana(now);
}

/** Where a reply stands, and until when a word to it is promised. */
export function describeReply(
  { kind, createdAt, state }: Reply,
  quoteId: string,
  answered: number,
  now: number,
): Bilingual {
  const what = kind === 'aceptada' ? words.accepted : words.asked;
  switch (state.kind) {
    case 'waiting':
      return joined([what, words.waiting]);
    case 'refused':
      return joined([what, words.refused(folioOf(quoteId), config.company.phone)]);
    case 'delivered': {
      // By the server's clock: a phone that kept the reply after it had arrived is ahead of it by as much.
      const ahead = Math.max(0, createdAt - state.at);
      const deadline = promisedUntil(state.at);
      const isOpen = answered < state.at && now - ahead < deadline;
      return joined([
        what,
        words.delivered(momentInWords(state.at, now - ahead)),
        isOpen && words.before(timeInTijuana(deadline)),
      ]);
    }
  }
}

function joined(parts: readonly (Bilingual | false | '' | undefined)[]): Bilingual {
  const said = parts.filter((part) => typeof part === 'object');
  return { es: said.map(({ es }) => es).join(' · '), en: said.map(({ en }) => en).join(' · ') };
}
