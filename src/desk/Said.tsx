import { mainWords, type Bilingual as Text } from '../content/bilingual.ts';
import { answers as phoneWords } from '../content/answers.ts';
import { desk as words } from '../content/desk.ts';
import { dateInWords, dayInWords } from '../content/dates.ts';
import { bodyInWords, priceInWords } from '../content/prices.ts';
import { Apart } from '../ui/Apart.tsx';
import { Bilingual } from '../ui/Bilingual.tsx';
import { Translation } from '../ui/Translation.tsx';
import type { AnswerRow } from '../lead/rows.ts';
import type { Reading, Word } from './conversation.ts';
import type { Lead } from './lead.ts';
import styles from './Said.module.css';

interface Props {
  readonly lead: Lead;
  readonly conversation: Reading;
  readonly now: number;
}

/** Everything that was said and done since the quote came, in order. */
export function Said({ lead, conversation, now }: Props) {
  const when = (at: string) => mainWords(dateInWords(Date.parse(at), now));
  return (
    <section className={styles['said']} aria-label={mainWords(words.said)}>
      <h3 className="label">
        {mainWords(words.said)} <Translation text={words.said} />
      </h3>
      <ol>
        <li>
          <p className={styles['line']}>
            <time>{when(lead.created_at)}</time> {mainWords(words.asked)}
          </p>
        </li>
        {typeof conversation === 'object' &&
          conversation.words.map((word) => (
            <Apart key={keyOf(word)} otherwise={<li>{mainWords(words.unshown)}</li>}>
              <Entry word={word} when={when} now={now} />
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
}

function Entry({ word, when, now }: EntryProps) {
  const colleague = mainWords(words.colleague);
  switch (word.kind) {
    case 'answer': {
      const { answer, seenAt } = word;
      const price = priceOf(answer, now);
      return (
        <li className={styles['ours']}>
          <p className={styles['line']}>
            <time>{when(word.at)}</time> {mainWords(words.answerBy(answer.author_name ?? colleague))}
          </p>
          {price && <p className={styles['price']}>{price}</p>}
          <p className={styles['body']}>{bodyInWords(answer.body)}</p>
          <p className={styles['line']} data-seen={seenAt ? '' : undefined}>
            {mainWords(seenAt ? words.seenAt(when(seenAt)) : words.notSeen)}
          </p>
        </li>
      );
    }
    case 'reply':
      return (
        <li className={styles['theirs']}>
          <p className={styles['line']}>
            <time>{when(word.at)}</time> <b>{mainWords(words.replies[word.reply.kind])}</b>
            {word.reply.entregada && ` · ${mainWords(words.recovered)}`}
          </p>
          {word.reply.body && (
            <p className={styles['body']} translate="no" dir="auto">
              {bodyInWords(word.reply.body)}
            </p>
          )}
        </li>
      );
    case 'note':
      return (
        <li className={styles['note']}>
          <p className={styles['line']}>
            <time>{when(word.at)}</time> {mainWords(words.noteBy(word.note.author_name ?? colleague))}
          </p>
          <p className={styles['body']}>{bodyInWords(word.note.body)}</p>
        </li>
      );
    case 'event': {
      const says = eventOf(word.event.code, word.name ?? colleague);
      if (!says) return null;
      return (
        <li>
          <p className={styles['line']} title={says.en}>
            <time>{when(word.at)}</time> {mainWords(says)}
          </p>
        </li>
      );
    }
  }
}

/** An event that no answer or reply says itself. */
function eventOf(code: string, name: string): Text | undefined {
  const { events } = words;
  if (code === 'reemplazada') return events.reemplazada;
  if (code === 'tomada' || code === 'relevada' || code === 'soltada' || code === 'ganada' || code === 'perdida')
    return events[code](name);
  return undefined;
}

function priceOf({ price, price_for: per, currency, valid_until: day }: AnswerRow, now: number): string {
  return [
    price && per && currency && mainWords(priceInWords({ amount: price, per, currency })),
    day && mainWords(phoneWords.validUntil(dayInWords(day, now))),
  ]
    .filter(Boolean)
    .join(' · ');
}

function keyOf(word: Word): string {
  switch (word.kind) {
    case 'answer':
      return word.answer.id;
    case 'reply':
      return word.reply.id;
    case 'note':
      return word.note.id;
    case 'event':
      return String(word.event.id);
  }
}
