import type { ReactNode } from 'react';
import { mainWords, type Bilingual as Text, englishWords } from '../../content/bilingual.ts';
import { deskConversation as words } from '../../content/desk-conversation.ts';
import { deskFailures } from '../../content/desk-failures.ts';
import { deskLead } from '../../content/desk-lead.ts';
import { deskTeam } from '../../content/desk-team.ts';
import { deskHistory } from '../../content/desk-history.ts';
import { dateInWords } from '../../content/dates.ts';
import { whatsAppFailures } from '../../content/whatsapp-failures.ts';
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx';
import { Bilingual } from '../../ui/Bilingual.tsx';
import { Buttons } from '../../ui/Button.tsx';
import type { OfferState } from '../../lead/offer.ts';
import type { EventRow, MailRow } from '../../lead/rows.ts';
import { isPast } from '../../lead/tijuana.ts';
import { errorGroupOf } from '../../lead/whatsapp-codes.ts';
import type { ConversationRead, Word } from '../api/conversation.ts';
import { useDesk } from '../context.ts';
import section from '../SheetSection.module.css';
import { SheetSection } from '../SheetSection.tsx';
import type { Lead } from '../lead/lead.ts';
import { offerOf, stateNow } from '../lead/offer.ts';
import styles from './Conversation.module.css';
import { ReceivedBy } from './ReceivedBy.tsx';
import { SeeOffer } from './SeeOffer.tsx';

interface Props {
  readonly lead: Lead;
  readonly read: ConversationRead | undefined;
  readonly hasFailed: boolean;
  readonly offerActions?: ((answerId: string, state: OfferState, isLate: boolean) => ReactNode) | undefined;
}

/** Answers, replies, notes and events of a lead, in the order of their times. */
export function Conversation({ lead, read, hasFailed, offerActions }: Props) {
  const { now } = useDesk();
  const when = (at: string) => mainWords(dateInWords(Date.parse(at), now));
  return (
    <SheetSection title={words.title}>
      <ol className={styles['words']}>
        <li>
          <p className={styles['line']}>
            <time>{when(lead.created_at)}</time> {mainWords(words.asked)}
          </p>
        </li>
        {read?.words.map((word) => (
          <ErrorBoundary key={word.id} otherwise={<li>{mainWords(deskFailures.unshown)}</li>}>
            <Entry lead={lead} read={read} word={word} when={when} now={now} offerActions={offerActions} />
          </ErrorBoundary>
        ))}
      </ol>
      {!read && <Bilingual text={hasFailed ? words.notRead : words.loading} />}
    </SheetSection>
  );
}

interface EntryProps {
  readonly lead: Lead;
  readonly read: ConversationRead;
  readonly word: Word;
  readonly when: (at: string) => string;
  readonly now: number;
  readonly offerActions: Props['offerActions'];
}

function Entry({ lead, read, word, when, now, offerActions }: EntryProps) {
  const colleague = mainWords(deskTeam.colleague);
  switch (word.kind) {
    case 'answer': {
      const { answer, offer, seenAt, mails, isMailStopped } = word;
      const price = offerOf(answer, now);
      const by = words.by[answer.kind];
      const state = offer && stateNow(offer, answer, now);
      return (
        <li className={styles['ours']}>
          <p className={styles['line']}>
            <time>{when(word.at)}</time> {mainWords(by(answer.author_name ?? colleague))}
            {state && <b> · {mainWords(words.states[state])}</b>}
          </p>
          {price && <p className={section['price']}>{price}</p>}
          <p className={section['body']}>{answer.body}</p>
          {(offer?.reference ?? offer?.word) && (
            <p className={styles['line']}>{[offer?.reference, offer?.word].filter(Boolean).join(' · ')}</p>
          )}
          <p className={styles['line']} data-seen={seenAt ? '' : undefined}>
            {mainWords(seenAt ? words.seenAt(when(seenAt)) : words.notSeen)}
            {mails.map(
              (mail) => ` · ${mainWords(mail.way === 'whatsapp' ? sentByWhatsApp(mail, when) : mailed(mail, when))}`,
            )}
            {isMailStopped && ` · ${mainWords(words.mail.stopped)}`}
          </p>
          {offer && (
            <Buttons>
              <SeeOffer lead={lead} answer={answer} offer={offer} read={read} />
              {state && offerActions?.(answer.id, state, false)}
            </Buttons>
          )}
        </li>
      );
    }
    case 'reply': {
      const { reply, answer, received } = word;
      const isClaim = reply.verdict === 'sinoferta' && !answer;
      const verdict = isClaim ? words.bindsNobody : reply.verdict && words.verdicts[reply.verdict];
      const isInTime =
        reply.verdict === 'vencida' &&
        Boolean(reply.pressed_at && answer?.valid_until) &&
        !isPast(answer!.valid_until!, Date.parse(reply.pressed_at!));
      return (
        <li className={styles['theirs']}>
          <p className={styles['line']}>
            <time>{when(word.at)}</time> <b>{mainWords(replyOf(word, now))}</b>
            {reply.enlace && ` · ${mainWords(words.byLink)}`}
            {reply.entregada && ` · ${mainWords(deskLead.recovered)}`}
            {verdict && ` · ${mainWords(verdict)}`}
          </p>
          {isInTime && <p className={styles['line']}>{mainWords(words.pressed(when(reply.pressed_at!)))}</p>}
          {isClaim && reply.body && <p className={styles['line']}>{mainWords(words.claimed)}</p>}
          {reply.body && (
            <p className={section['body']} translate="no" dir="auto">
              {reply.body}
            </p>
          )}
          {received && <ReceivedBy message={received} />}
          {isInTime && offerActions?.(answer!.id, 'vencida', true)}
        </li>
      );
    }
    case 'note':
      return (
        <li className={styles['note']}>
          <p className={styles['line']}>
            <time>{when(word.at)}</time> {mainWords(words.noteBy(word.note.author_name ?? colleague))}
          </p>
          <p className={section['body']}>{word.note.body}</p>
        </li>
      );
    case 'event': {
      const text = eventOf(word.event, word.name ?? colleague);
      if (!text) return null;
      return (
        <li>
          <p className={styles['line']} title={englishWords(text)}>
            <time>{when(word.at)}</time> {mainWords(text)}
          </p>
        </li>
      );
    }
  }
}

function mailed({ sent_at, next_at, result: reason }: MailRow, when: (at: string) => string): Text {
  if (sent_at) return words.mail.sent(when(sent_at));
  if (next_at) return reason ? words.mail.again(reason) : words.mail.waiting;
  return reason === 'over' ? words.mail.over : words.mail.failed(reason ?? '?');
}

function sentByWhatsApp({ delivery, delivery_at, next_at, result, code }: MailRow, when: (at: string) => string): Text {
  const { whatsapp } = words;
  const reason = code === null ? undefined : `${mainWords(whatsAppFailures[errorGroupOf(code)])} (${code})`;
  if (delivery === 'sent' || delivery === 'delivered' || delivery === 'read')
    return whatsapp[delivery](when(delivery_at ?? ''));
  if (delivery === 'sending') return next_at ? whatsapp.sending : whatsapp.unknown;
  if (delivery === 'failed') return whatsapp.failed(reason ?? mainWords(whatsAppFailures.other));
  if (next_at) return reason ? whatsapp.again(reason) : whatsapp.waiting;
  return result === 'over' ? whatsapp.over : whatsapp.late;
}

/** Sentence about an event; undefined if the conversation already shows the answer or reply that caused the event. */
function eventOf({ code, actor }: EventRow, name: string): Text | undefined {
  const { events } = words;
  // This event has two causes: with an actor, a colleague joined two leads; without an actor, the customer sent a
  // correction.
  if (code === 'reemplazada') return actor ? deskHistory.joinedBy(name) : events.reemplazada;
  const text = code in events ? events[code as keyof typeof events] : undefined;
  return typeof text === 'function' ? text(name) : undefined;
}

/** Title of a reply. For an acceptance, the title contains the accepted offer. */
function replyOf({ reply, answer }: Word & { kind: 'reply' }, now: number): Text {
  if (reply.kind === 'pregunta' && answer?.kind === 'pregunta') return words.replied;
  if (reply.verdict === 'sinoferta' && !answer) return words.claims;
  const offer = reply.kind === 'aceptada' && answer && offerOf(answer, now);
  return offer ? deskLead.booking.accepted(offer) : words.replies[reply.kind];
}
