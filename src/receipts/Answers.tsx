import { useEffect, useId, useRef, useState, type FormEvent, type RefObject } from 'react';
import { answers as words } from '../content/answers.ts';
import { mainWords } from '../content/bilingual.ts';
import { dayInWords, timeOrDate } from '../content/dates.ts';
import { handOff } from '../content/quote-states.ts';
import { joined } from '../content/sentences.ts';
import { isAgreed } from '../lead/offer.ts';
import { dayInTijuana } from '../lead/tijuana.ts';
import { copy } from '../notices/copy.ts';
import { FORM_DURATION, toast } from '../notices/toasts.ts';
import { setBusy } from '../phone/busy.ts';
import { endTabDraft, readTabDraft, saveTabDraft } from '../phone/tab-draft.ts';
import { ActionLabel } from './ActionLabel.tsx';
import { takeFocus } from '../ui/focus.ts';
import { Inline } from '../ui/Inline.tsx';
import { WholeInline } from '../ui/whole.tsx';
import styles from './Answers.module.css';
import { hasText, LONGEST } from '../lead/bounds.ts';
import type { Answer } from '../lead/answer.ts';
import { answerIdOf, isReply, messagesOfKind, type NewMessage } from '../lead/messages.ts';
import { amountInWords, moneyInWords, priceInWords } from '../content/prices.ts';
import { acceptableOffer, describeAnswer, describeReply, serverNow } from './describe-answer.ts';
import type { Entry } from '../outbox/entry.ts';
import { newId } from '../lead/quote.ts';
import { sendMessage } from './send-message.ts';
import { toastNotStored } from './toast-not-stored.ts';

interface Props {
  readonly entry: Entry;
  readonly now: number;
}

interface OfferProps extends Props {
  /** Valid offer, not yet accepted. */
  readonly offer: Answer;
}

const DAY = 86_400_000;
/** Most days that are counted down; later dates are shown without a count. */
const MOST_DAYS = 60;

/** Card of the valid offer: price, total, last day, text, and buttons to accept or ask. */
export function Offer({ entry, offer, now }: OfferProps) {
  const { id, messages } = entry;
  const card = useRef<HTMLElement>(null);
  useSeen(card, id, offer, messages);
  const { price, kilos, validUntil, body } = offer;
  const present = serverNow(entry, now);
  const weight = kilos?.toLocaleString('es-MX');
  const daysLeft = validUntil && Math.round((Date.parse(validUntil) - Date.parse(dayInTijuana(present))) / DAY);
  const until = validUntil && words.until(dayInWords(validUntil, present));
  return (
    <section ref={card} className={styles['offer']} aria-label={mainWords(words.offer)}>
      {price && (
        <p className={styles['price']}>
          <b className="whole">{amountInWords(price)}</b> <Inline text={words.by[price.per]} />
        </p>
      )}
      {price && weight && (
        <p>
          <WholeInline
            text={
              price.per === 'kilo'
                ? words.comesTo(moneyInWords(price.amount * kilos!, price.currency), weight)
                : words.forShipment(weight)
            }
          />
        </p>
      )}
      {until && (
        <p>
          <Inline text={joined([until, Number(daysLeft) < MOST_DAYS && words.daysLeft(Number(daysLeft))], ' · ')} />
        </p>
      )}
      <p className={styles['words']} translate="no">
        {body}
      </p>
      <ReplyActions quoteId={id} messages={messages} answer={entry.answers.at(-1)!} offer={offer} />
    </section>
  );
}

/** Steps of an agreed quote with their times, the airline's reference and the next step. */
export function Track({ entry, now }: Props) {
  const { state, answers, messages } = entry;
  const present = serverNow(entry, now);
  const agreed = answers.findLast((answer) => isAgreed(answer.state)) ?? answers.at(-1)!;
  const acceptance = messagesOfKind(messages, 'aceptada').find(({ answerId }) => answerId === agreed.id);
  const acceptedAt =
    acceptance?.state.kind === 'delivered'
      ? acceptance.state.at
      : agreed.state === 'aceptada'
        ? agreed.stateAt
        : undefined;
  const isBooked = agreed.state === 'reservada';
  const steps = [
    [words.track.asked, state.kind === 'delivered' ? state.at : undefined],
    [words.track.answered, agreed.at],
    [words.track.accepted, acceptedAt],
    [words.track.booked, isBooked ? agreed.stateAt : undefined],
  ] as const;
  return (
    <section className={styles['track']} aria-label={mainWords(words.track.label)}>
      <ol>
        {steps.map(([step, at], index) => (
          <li key={mainWords(step)} data-done={index < 3 || isBooked ? '' : undefined}>
            <b>
              <Inline text={step} />
            </b>
            {at !== undefined && <span>{mainWords(timeOrDate(at, present))}</span>}
          </li>
        ))}
      </ol>
      {agreed.reference && (
        <div className={styles['reference']}>
          <p className="label">
            <Inline text={words.airReference} />
          </p>
          <p translate="no">{agreed.reference}</p>
          <button className="button plain" type="button" onClick={() => void copy(agreed.reference!, words.copied)}>
            <ActionLabel text={handOff.copy} />
          </button>
        </div>
      )}
      {isBooked && agreed.word && (
        <div className={styles['next']}>
          <p className="label">
            <Inline text={words.whatsNext} />
          </p>
          <p className={styles['words']} translate="no">
            {agreed.word}
          </p>
        </div>
      )}
    </section>
  );
}

/** Reports once to the sales team that an answer was on the screen. */
function useSeen(
  place: RefObject<HTMLElement | null>,
  quoteId: string,
  answer: Answer,
  messages: Entry['messages'],
): void {
  const isNew = !messages.some((message) => answerIdOf(message) === answer.id);
  useEffect(() => {
    // Scroll only in the list: on the page the visitor may be reading something else.
    if (!isNew || !place.current!.closest('dialog')) return;
    requestAnimationFrame(() => place.current?.closest('article')!.parentElement!.scrollIntoView({ block: 'start' }));
  }, [isNew, place]);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (seen) => {
        if (!seen.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        void sendMessage(quoteId, { id: newId(), answerId: answer.id, kind: 'vista' });
      },
      // A long answer never fits the screen as a whole.
      { threshold: 0.1 },
    );
    observer.observe(place.current!);
    return () => observer.disconnect();
  }, [quoteId, answer.id, place]);
}

/** Conversation of sales team and sender without the valid offer, which has its own card. */
export function Answers({ entry, now }: Props) {
  const { id, answers, messages } = entry;
  const last = answers.at(-1)!;
  const offer = acceptableOffer(entry, serverNow(entry, now));
  const answerTo = (message: NewMessage) => answers.find((answer) => answer.id === answerIdOf(message));
  const conversation = [
    ...answers.filter((answer) => answer !== offer).map((answer) => ({ at: answer.at, answer, word: undefined })),
    ...messages.filter(isReply).map((word) => ({ at: sentAt(word), answer: undefined, word })),
  ].toSorted((one, other) => one.at - other.at);

  return (
    <div className={styles['answers']}>
      <ol>
        {conversation.map(({ answer, word }) => {
          if (answer) {
            return (
              <AnswerItem
                key={answer.id}
                quoteId={id}
                answer={answer}
                messages={messages}
                now={serverNow(entry, now)}
                isLast={answer === last}
              />
            );
          }
          return (
            <li key={word.id} className={styles['mine']}>
              {word.kind === 'pregunta' && <p translate="no">{word.body}</p>}
              <p role="status">
                <WholeInline text={describeReply(word, id, answerTo(word), last.at, now)} />
              </p>
            </li>
          );
        })}
      </ol>
      {!offer && <ReplyActions quoteId={id} messages={messages} answer={last} offer={undefined} />}
    </div>
  );
}

function sentAt({ createdAt, state }: Entry['messages'][number]): number {
  return state.kind === 'delivered' ? state.at : createdAt;
}

interface AnswerProps {
  readonly quoteId: string;
  readonly answer: Answer;
  readonly messages: Entry['messages'];
  readonly now: number;
  /** True for the last answer, whose time and price the receipt shows. */
  readonly isLast: boolean;
}

function AnswerItem({ quoteId, answer, messages, now, isLast }: AnswerProps) {
  const item = useRef<HTMLLIElement>(null);
  useSeen(item, quoteId, answer, messages);
  return (
    <li ref={item} className={styles['theirs']}>
      {!isLast && (
        <p>
          <WholeInline text={describeAnswer(answer, messages, now)} />
        </p>
      )}
      <p className={styles['words']}>{answer.body}</p>
    </li>
  );
}

interface ReplyingProps {
  readonly quoteId: string;
  readonly messages: Entry['messages'];
  /** Last answer, to which a question refers. */
  readonly answer: Answer;
  readonly offer: Answer | undefined;
}

function ReplyActions({ quoteId, messages, answer, offer }: ReplyingProps) {
  const place = useRef<HTMLDivElement>(null);
  const [draft, setDraft] = useState(() => readTabDraft('question', quoteId));
  /** Last press; `accepts`: id of the offer that the visitor has to confirm. */
  const [pressed, setPressed] = useState<'choose' | 'ask' | { readonly accepts: string }>();
  const accepts = typeof pressed === 'object' ? pressed.accepts : undefined;
  const step = pressed ?? (draft && 'ask');
  // The offer changed before the visitor confirmed.
  if (accepts && accepts !== offer?.id) setPressed('choose');
  // A second press sends the same id, which the server stores once.
  const [id, setId] = useState(() => textOf(draft?.['id']) || newId());
  // The reply was sent from the other receipt of this quote, or before the tab was reloaded.
  if (messages.some((message) => message.id === id)) {
    setId(newId());
    setDraft(undefined);
    setPressed(pressed && 'choose');
  }
  const price = offer?.price ? priceInWords(offer.price, offer.kilos) : words.thisAnswer;
  const isAsked = answer.kind === 'pregunta';
  const confirmation = mainWords(words.confirm(price));

  async function send(message: NewMessage) {
    const stub = place.current?.closest('article');
    const ending = await sendMessage(quoteId, message);
    if (ending === 'unsaved') return toastNotStored(quoteId);
    if (ending === 'sent') toast(words.sent, { type: 'success', duration: FORM_DURATION, about: quoteId });
    setId(newId());
    close();
    if (message.kind === 'aceptada' && stub) showStamp(stub);
  }

  function ask() {
    // The other receipt of this quote, in the page or in the list, may have a newer draft.
    const written = readTabDraft('question', quoteId);
    // A tab that died after the send leaves its draft behind.
    const initialText = messages.some((message) => message.id === written?.['id']) ? undefined : written;
    setDraft(initialText);
    setId(textOf(initialText?.['id']) || id);
    setPressed('ask');
  }

  function close() {
    if (step === 'ask') endTabDraft('question', quoteId);
    setDraft(undefined);
    setPressed('choose');
  }

  if (accepts && accepts === offer?.id)
    return (
      <div ref={place} role="alertdialog" aria-label={confirmation} className={styles['replying']}>
        <p>
          <WholeInline text={words.confirm(price)} />
        </p>
        <div className={styles['buttons']}>
          <button
            className="button"
            type="button"
            onClick={() => void send({ id, kind: 'aceptada', answerId: offer.id })}
          >
            <ActionLabel text={words.yes} />
          </button>
          <button ref={takeFocus} className="button plain" type="button" onClick={() => setPressed('choose')}>
            <ActionLabel text={words.no} />
          </button>
        </div>
      </div>
    );
  if (step === 'ask')
    return (
      <QuestionForm
        isAnswer={isAsked}
        begun={textOf(draft?.['body'])}
        isAsked={pressed === 'ask'}
        onWrite={(body) => saveTabDraft('question', quoteId, { id, body })}
        onSend={(body) => send({ id, kind: 'pregunta', answerId: answer.id, body })}
        onCancel={close}
      />
    );
  return (
    <div className={styles['buttons']}>
      {offer && (
        <button className="button" type="button" onClick={() => setPressed({ accepts: offer.id })}>
          <ActionLabel text={words.accept} />
        </button>
      )}
      <button ref={pressed === 'choose' ? takeFocus : undefined} className="button plain" type="button" onClick={ask}>
        <ActionLabel text={isAsked ? words.reply : words.ask} />
      </button>
    </div>
  );
}

/** Moves focus and view to the stamp after an acceptance, whose buttons disappear. */
function showStamp(stub: HTMLElement): void {
  requestAnimationFrame(() => {
    stub.tabIndex = -1;
    stub.focus({ preventScroll: true });
    stub.scrollIntoView({ block: 'start' });
  });
}

const textOf = (kept: unknown) => (typeof kept === 'string' ? kept : '');

interface QuestionFormProps {
  /** True if the sales team asked, false for a question of the sender. */
  readonly isAnswer: boolean;
  /** Text from before a reload or the closing of the list. */
  readonly begun: string;
  /** True if a press opened the form; its button is gone. */
  readonly isAsked: boolean;
  readonly onWrite: (body: string) => void;
  readonly onSend: (body: string) => Promise<void>;
  readonly onCancel: () => void;
}

function QuestionForm({ isAnswer, begun, isAsked, onWrite, onSend, onCancel }: QuestionFormProps) {
  const id = useId();
  const [body, setBody] = useState(begun);
  const text = body.trim();
  const isWritten = text !== '';
  useEffect(() => {
    setBusy('reply', isWritten);
    return () => setBusy('reply', false);
  }, [isWritten]);

  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (hasText(text)) return void onSend(text);
    // An emptied field makes the browser report the missing text at the next press.
    setBody('');
    onWrite('');
    event.currentTarget.querySelector('textarea')!.focus();
    return undefined;
  }

  return (
    <form className={styles['replying']} onSubmit={send}>
      <div className="field">
        <label className="label" htmlFor={id}>
          <Inline text={isAnswer ? words.yourReply : words.question} />
        </label>
        <textarea
          ref={isAsked ? takeFocus : undefined}
          id={id}
          rows={3}
          required
          maxLength={LONGEST.question}
          value={body}
          onChange={({ target }) => {
            setBody(target.value);
            onWrite(target.value);
          }}
        />
      </div>
      <div className={styles['buttons']}>
        <button className="button" type="submit">
          <ActionLabel text={isAnswer ? words.sendReply : words.send} />
        </button>
        <button className="button plain" type="button" onClick={onCancel}>
          <ActionLabel text={words.cancel} />
        </button>
      </div>
    </form>
  );
}
