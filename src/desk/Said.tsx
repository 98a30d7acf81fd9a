import type { ReactNode } from 'react';
import { mainWords, type Bilingual as Text, englishWords } from '../content/bilingual.ts';
import { desk as words } from '../content/desk.ts';
import { deskHistory } from '../content/desk-history.ts';
import { dateInWords } from '../content/dates.ts';
import { Apart } from '../ui/Apart.tsx';
import { Bilingual } from '../ui/Bilingual.tsx';
import { Inline } from '../ui/Inline.tsx';
import type { OfferState } from '../lead/offer.ts';
import type { EventRow } from '../lead/rows.ts';
import { isPast } from '../lead/tijuana.ts';
import type { Reading, Word } from './conversation.ts';
import type { Lead } from './lead.ts';
import { offerOf, stateNow } from './offer.ts';
import styles from './Said.module.css';

interface Props {
  readonly lead: Lead;
  readonly conversation: Reading;
  readonly now: number;
  /** What can be done with an offer, under it. */
  readonly actsOn?: ((answerId: string, state: OfferState, isLate: boolean) => ReactNode) | undefined;
}

/** Everything that was said and done since the quote came, in order. */
export function Said({ lead, conversation, now, actsOn }: Props) {
  const when = (at: string) => mainWords(dateInWords(Date.parse(at), now));
  return (
    <section className={styles['said']} aria-label={mainWords(words.said)}>
      <h3 className="label">
        <Inline text={words.said} />
      </h3>
      <ol>
        <li>
          <p className={styles['line']}>
            <time>{when(lead.created_at)}</time> {mainWords(words.asked)}
          </p>
        </li>
        {typeof conversation === 'object' &&
          conversation.words.map((word) => (
            <Apart key={word.id} otherwise={<li>{mainWords(words.unshown)}</li>}>
              <Entry word={word} when={when} now={now} actsOn={actsOn} />
            </Apart>
          ))}
      </ol>
      {conversation === 'reading' && <Bilingual text={words.loading} />}
      {conversation === 'unread' && <Bilingual text={words.notRead} />}
    </section>
  );
}

interface EntryProps {
  readonly word: Word;
  readonly when: (at: string) => string;
  readonly now: number;
  readonly actsOn: Props['actsOn'];
}

function Entry({ word, when, now, actsOn }: EntryProps) {
  const colleague = mainWords(words.colleague);
  switch (word.kind) {
    case 'answer': {
      const { answer, offer, seenAt } = word;
      const price = offerOf(answer, now);
      const by = words.offer.kinds[answer.kind];
      const state = offer && stateNow(offer, answer, now);
      return (
        <li className={styles['ours']}>
          <p className={styles['line']}>
            <time>{when(word.at)}</time> {mainWords(by(answer.author_name ?? colleague))}
            {state && <b> · {mainWords(words.offer.states[state])}</b>}
          </p>
          {price && <p className={styles['price']}>{price}</p>}
          <p className={styles['body']}>{answer.body}</p>
          {(offer?.reference ?? offer?.word) && (
            <p className={styles['line']}>{[offer?.reference, offer?.word].filter(Boolean).join(' · ')}</p>
          )}
          <p className={styles['line']} data-seen={seenAt ? '' : undefined}>
            {mainWords(seenAt ? words.seenAt(when(seenAt)) : words.notSeen)}
          </p>
          {state && actsOn?.(answer.id, state, false)}
        </li>
      );
    }
    case 'reply': {
      const { reply, answer } = word;
      const isClaim = reply.verdict === 'sinoferta' && !answer;
      const verdict = isClaim ? words.offer.bindsNobody : reply.verdict && words.offer.verdicts[reply.verdict];
      const isInTime =
        reply.verdict === 'vencida' &&
        Boolean(reply.pressed_at && answer?.valid_until) &&
        !isPast(answer!.valid_until!, Date.parse(reply.pressed_at!));
      return (
        <li className={styles['theirs']}>
          <p className={styles['line']}>
            <time>{when(word.at)}</time> <b>{mainWords(replyOf(word, now))}</b>
            {reply.enlace && ` · ${mainWords(words.offer.byLink)}`}
            {reply.entregada && ` · ${mainWords(words.recovered)}`}
            {verdict && ` · ${mainWords(verdict)}`}
          </p>
          {isInTime && <p className={styles['line']}>{mainWords(words.offer.pressed(when(reply.pressed_at!)))}</p>}
          {isClaim && reply.body && <p className={styles['line']}>{mainWords(words.offer.claimed)}</p>}
          {reply.body && (
            <p className={styles['body']} translate="no" dir="auto">
              {reply.body}
            </p>
          )}
          {isInTime && actsOn?.(answer!.id, 'vencida', true)}
        </li>
      );
    }
    case 'note':
      return (
        <li className={styles['note']}>
          <p className={styles['line']}>
            <time>{when(word.at)}</time> {mainWords(words.noteBy(word.note.author_name ?? colleague))}
          </p>
          <p className={styles['body']}>{word.note.body}</p>
        </li>
      );
    case 'event': {
      const says = eventOf(word.event, word.name ?? colleague);
      if (!says) return null;
      return (
        <li>
          <p className={styles['line']} title={englishWords(says)}>
            <time>{when(word.at)}</time> {mainWords(says)}
          </p>
        </li>
      );
    }
  }
}

/** An event that no answer or reply says itself. */
function eventOf({ code, actor }: EventRow, name: string): Text | undefined {
  const { events } = words;
  // A correction is of nobody here; what a colleague did was to join it.
  if (code === 'reemplazada') return actor ? deskHistory.joinedBy(name) : events.reemplazada;
  const says = code in events ? events[code as keyof typeof events] : undefined;
  return typeof says === 'function' ? says(name) : undefined;
}

/** A reply in a word; an acceptance with what it is of. */
function replyOf({ reply, answer }: Word & { kind: 'reply' }, now: number): Text {
  if (reply.kind === 'pregunta' && answer?.kind === 'pregunta') return words.offer.replied;
  if (reply.verdict === 'sinoferta' && !answer) return words.offer.claimsMark;
  const offer = reply.kind === 'aceptada' && answer && offerOf(answer, now);
  return offer ? words.offer.accepted(offer) : words.replies[reply.kind];
}
