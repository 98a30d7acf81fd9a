import { useRef } from 'react';
import { answers as words } from '../content/answers.ts';
import { mainWords } from '../content/bilingual.ts';
import { lineInWords, pesosInWords } from '../content/charge-words.ts';
import { dayInWords, timeOrDate } from '../content/dates.ts';
import { handOff } from '../content/quote-states.ts';
import { joined } from '../content/sentences.ts';
import { folioOf } from '../lead/folio.ts';
import { readOfferFacts, type OfferFacts } from '../lead/offer-lines.ts';
import { isAgreed, type Price } from '../lead/offer.ts';
import { readShipment } from '../lead/shipment.ts';
import { dayInTijuana } from '../lead/tijuana.ts';
import { copy } from '../notices/copy.ts';
import { ActionLabel } from './ActionLabel.tsx';
import { Inline } from '../ui/Inline.tsx';
import { NoBreakInline } from '../ui/no-break.tsx';
import styles from './Answers.module.css';
import type { Answer } from '../lead/answer.ts';
import { answerIdOf, isReply, messagesOfKind, type NewMessage } from '../lead/messages.ts';
import { amountInWords, moneyInWords } from '../content/prices.ts';
import { acceptableOffer, describeAnswer, describeReply, serverNow } from './describe-answer.ts';
import type { Entry } from '../outbox/entry.ts';
import { ReplyActions } from './ReplyActions.tsx';
import { SeeOffer, type OpenedOffer } from './SeeOffer.tsx';
import { ShipmentTrack } from './ShipmentTrack.tsx';
import { CalendarButton } from './CalendarButton.tsx';
import { validityEvent } from '../content/calendar.ts';
import { useSeen } from './use-seen.ts';

export { OpenOffer } from './SeeOffer.tsx';

interface Props {
  readonly entry: Entry;
  readonly now: number;
}

interface SeeProps extends Props {
  readonly onSee: (opened: OpenedOffer) => void;
}

interface OfferProps extends SeeProps {
  /** Valid offer that is not accepted yet. */
  readonly offer: Answer;
}

const DAY = 86_400_000;
/** Number of days below which an offer also shows how many days are left, besides its last day. */
const MOST_DAYS = 60;

/** Card of a valid offer: price, total, last day, text, and the buttons to accept it or ask a question. */
export function Offer({ entry, offer, now, onSee }: OfferProps) {
  const { id, messages } = entry;
  const card = useRef<HTMLElement>(null);
  useSeen(card, id, offer, messages);
  const { price, kilos, validUntil, body } = offer;
  const facts = readOfferFacts(offer.offer);
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
          <NoBreakInline
            text={
              price.per === 'kilo'
                ? words.comesTo(moneyInWords(price.amount * kilos!, price.currency), weight)
                : words.forShipment(weight)
            }
          />
        </p>
      )}
      {price && <Breakdown price={price} kilos={kilos ?? 1} facts={facts} />}
      {until && (
        <p>
          <Inline text={joined([until, Number(daysLeft) < MOST_DAYS && words.daysLeft(Number(daysLeft))], ' · ')} />
        </p>
      )}
      <p className={styles['words']} translate="no">
        {body}
      </p>
      <ReplyActions quoteId={id} messages={messages} answer={entry.answers.at(-1)!} offer={offer} />
      <SeeOffer entry={entry} answer={offer} onSee={onSee} />
    </section>
  );
}

interface BreakdownProps {
  readonly price: Price;
  readonly kilos: number;
  readonly facts: OfferFacts;
}

function Breakdown({ price, kilos, facts }: BreakdownProps) {
  const pesos = pesosInWords(facts, price.currency);
  return (
    <>
      {facts.lines && (
        <ul className={styles['lines']}>
          {facts.lines.map((line, place) => (
            // oxlint-disable-next-line react/no-array-index-key -- lines never change
            <li key={place}>
              <NoBreakInline text={lineInWords(line, price, kilos)} />
            </li>
          ))}
        </ul>
      )}
      {pesos && (
        <p className={styles['pesos']}>
          <NoBreakInline text={pesos} />
        </p>
      )}
    </>
  );
}

export function OfferCalendar({ entry: { id }, offer: { at, validUntil } }: Pick<OfferProps, 'entry' | 'offer'>) {
  return validUntil && <CalendarButton folio={folioOf(id)} events={validityEvent(folioOf(id), validUntil, at)} />;
}

/** Steps of an accepted offer with their times, the booking reference and the next step. */
export function Track({ entry, now }: Props) {
  const { id, state, answers, messages } = entry;
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
  const shipment = readShipment(agreed.track);
  const steps = [
    [words.track.asked, state.kind === 'delivered' ? state.at : undefined],
    [words.track.answered, agreed.at],
    [words.track.accepted, acceptedAt],
    [words.track.booked, isBooked ? agreed.stateAt : undefined],
  ] as const;
  if (shipment) {
    return (
      <>
        <ShipmentTrack folio={folioOf(id)} shipment={shipment} bookedAt={agreed.stateAt} now={present} />
        <Booking agreed={agreed} isBooked={isBooked} waybill={shipment.waybill} />
      </>
    );
  }
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
      <Booking agreed={agreed} isBooked={isBooked} />
    </section>
  );
}

interface BookingProps {
  readonly agreed: Answer;
  readonly isBooked: boolean;
  /** Digits of the air waybill that the receipt shows. A booking reference with the same digits is not shown again. */
  readonly waybill?: string | undefined;
}

function Booking({ agreed, isBooked, waybill }: BookingProps) {
  return (
    <>
      {agreed.reference && agreed.reference.replaceAll(/\D/g, '') !== waybill && (
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
    </>
  );
}

/** Messages between sales team and exporter. The valid offer is not among them, because it has its own card. */
export function Answers({ entry, now, onSee }: SeeProps) {
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
                entry={entry}
                answer={answer}
                now={serverNow(entry, now)}
                isLast={answer === last}
                onSee={onSee}
              />
            );
          }
          return (
            <li key={word.id} className={styles['mine']}>
              {word.kind === 'pregunta' && <p translate="no">{word.body}</p>}
              <p role="status">
                <NoBreakInline text={describeReply(word, id, answerTo(word), last.at, now)} />
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

/**
 * Button that opens the accepted offer. It is below the flight and the shipping documents, which matter more after an
 * acceptance.
 */
export function SeeAgreedOffer({ entry, onSee }: Pick<SeeProps, 'entry' | 'onSee'>) {
  const agreed = entry.answers.findLast(({ state }) => isAgreed(state));
  return agreed && <SeeOffer entry={entry} answer={agreed} onSee={onSee} />;
}

interface AnswerProps extends SeeProps {
  readonly answer: Answer;
  /** True for the last answer. Its time and price are at the top of the receipt, so they are not repeated here. */
  readonly isLast: boolean;
}

function AnswerItem({ entry, answer, now, isLast, onSee }: AnswerProps) {
  const { id, messages } = entry;
  const item = useRef<HTMLLIElement>(null);
  useSeen(item, id, answer, messages);
  return (
    <li ref={item} className={styles['theirs']}>
      {!isLast && (
        <p>
          <NoBreakInline text={describeAnswer(answer, messages, now)} />
        </p>
      )}
      <p className={styles['words']}>{answer.body}</p>
      {answer.kind === 'oferta' && !isAgreed(answer.state) && <SeeOffer entry={entry} answer={answer} onSee={onSee} />}
    </li>
  );
}
