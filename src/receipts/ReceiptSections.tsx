import type { ReactNode } from 'react';
import { mainWords } from '../content/bilingual.ts';
import { fieldWords, valueInWords } from '../content/fields.ts';
import { receipt as words } from '../content/quote-states.ts';
import { OPTIONAL } from '../lead/fields.ts';
import { messagesOfKind } from '../lead/messages.ts';
import { isAgreed } from '../lead/offer.ts';
import type { Quote } from '../lead/quote.ts';
import type { Entry } from '../outbox/entry.ts';
import { wasDelivered } from '../outbox/state.ts';
import { askToCorrect } from '../phone/draft.ts';
import { StorageLine } from '../phone/StorageLine.tsx';
import { tabDraft } from '../phone/tab-draft.ts';
import { Fold } from '../ui/Fold.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { NoBreakInline } from '../ui/no-break.tsx';
import { ActionLabel } from './ActionLabel.tsx';
import { acceptableOffer, serverNow } from './describe-answer.ts';
import type { Look } from './describe-entry.ts';
import styles from './Receipt.module.css';
import { RememberMe } from './RememberMe.tsx';
import type { OpenedOffer } from './SeeOffer.tsx';

const SeeAgreedOffer = lazyPart(() => import('./Answers.tsx').then((module) => module.SeeAgreedOffer));
const OfferCalendar = lazyPart(() => import('./Answers.tsx').then((module) => module.OfferCalendar));
const NoAlert = lazyPart(() => import('./AnswerAlert.tsx').then((module) => module.NoAlert));
const RepeatQuote = lazyPart(() => import('./RepeatQuote.tsx').then((module) => module.RepeatQuote));
const Details = lazyPart(() => import('./Details.tsx').then((module) => module.Details));
const Papers = lazyPart(() => import('./Papers.tsx').then((module) => module.Papers));
const Files = lazyPart(() => import('./Files.tsx').then((module) => module.Files));
const OtherPhone = lazyPart(() => import('./OtherPhone.tsx').then((module) => module.OtherPhone));
const Withdrawals = lazyPart(() => import('./Withdrawals.tsx').then((module) => module.Withdrawals));
const HandOff = lazyPart(() => import('./HandOff.tsx').then((module) => module.HandOff));

export interface ReceiptProps {
  readonly entry: Entry;
  readonly replacedBy?: string | undefined;
  /**
   * True right after the quote was sent. The receipt then scrolls into view and takes the focus, which the form has
   * lost.
   */
  readonly isNew?: boolean;
  /** True if the receipt replaces the stub, a receipt without React that has already scrolled into view. */
  readonly isInPlace?: boolean;
  readonly onCorrect?: () => void;
  /** Called with the id of the new quote after the visitor has sent this quote again. */
  readonly onRepeated?: (id: string) => void;
  /** Main button that the list of quotes adds while the quote or a message about it is not sent yet. */
  readonly mainAction?: ReactNode;
  readonly otherActions?: ReactNode;
}

export interface SectionProps extends ReceiptProps {
  readonly look: Look;
  readonly now: number;
  readonly onSeeOffer: (opened: OpenedOffer) => void;
}

/**
 * True if the exporter can correct the quote. False for a duplicate, and after an acceptance, when only the team can
 * change the quote.
 */
const isCorrectable = ({ state, answers }: Entry) =>
  (state.kind !== 'refused' || state.refusal.kind !== 'known') && !answers.some((answer) => isAgreed(answer.state));

const hasAdditions = ({ id, messages }: Entry) =>
  tabDraft('details', id).get() !== undefined ||
  messagesOfKind(messages, 'detalles').length + messagesOfKind(messages, 'archivo').length > 0;

const isOffered = ({ answers }: Entry) => answers.some(({ state }) => state === 'vigente' || isAgreed(state));

/** True if an offer has closed shipment details and files and both are empty: the receipt then leaves them out. */
export const hasClosedAdditions = (entry: Entry) => !hasAdditions(entry) && isOffered(entry);

/**
 * True if the summary moves into the section 'more', to make room for an offer or for the documents of an accepted one.
 */
export const isSummaryInMore = (entry: Entry, look: Look) => look === 'accepted' || isOffered(entry);

/**
 * Returns where the shipping documents are shown: in a separate section after an acceptance, in 'more' while there is
 * an offer, otherwise with details and files.
 */
export function placeOfPapers(entry: Entry, look: Look): 'receipt' | 'more' | 'additions' {
  if (look === 'accepted') return 'receipt';
  return isOffered(entry) ? 'more' : 'additions';
}

/** True if the quote was delivered under this id. Its correction then needs a new id. */
const isDelivered = ({ state }: Entry) =>
  wasDelivered(state) || (state.kind === 'refused' && state.refusal.kind === 'superseded');

/** Summarises a quote. For a phone call the sales team may have recorded only the caller's name. */
function summaryOf({ peso, tipo_carga, empresa }: Quote): string {
  const { choices } = fieldWords.tipo_carga;
  return [
    peso !== 0 && `${peso.toLocaleString('es-MX')} ${mainWords(words.perMonth)}`,
    tipo_carga && mainWords(choices[tipo_carga]),
    empresa,
  ]
    .filter(Boolean)
    .join(' · ');
}

interface CorrectProps {
  readonly entry: Entry;
  readonly onCorrect: (() => void) | undefined;
  readonly isMain?: boolean;
}

export function Correct({ entry, onCorrect, isMain = false }: CorrectProps) {
  function correct() {
    onCorrect?.();
    const quote = entry.quote!;
    const delivered = isDelivered(entry);
    askToCorrect({ quote, delivered, promociones: !delivered && quote.promociones === true, replaced: entry.replaced });
  }
  return (
    <button className={isMain ? 'button' : 'button plain'} type="button" onClick={correct}>
      <ActionLabel text={words.correct} />
    </button>
  );
}

export function Summary({ quote, isNew }: { readonly quote: Quote; readonly isNew: boolean }) {
  return (
    <Fold title={words.summary} brief={summaryOf(quote)}>
      <div className={styles['contact']}>
        <p>
          <span>{quote.nombre}</span> ·{' '}
          {quote.email && (
            <>
              <span>{quote.email}</span> ·{' '}
            </>
          )}
          <span className={styles['phone']}>{quote.telefono}</span>
        </p>
        {OPTIONAL.map((field) =>
          quote[field] === undefined ? undefined : (
            <p key={field} data-field={field}>
              {mainWords(fieldWords[field].label)}: {valueInWords(field, quote[field])}
            </p>
          ),
        )}
        {quote.reemplaza && (
          <p>
            <NoBreakInline text={words.replaces(quote.reemplaza)} />
          </p>
        )}
        {quote.igual && (
          <p>
            <NoBreakInline text={words.sameAs(quote.igual)} />
          </p>
        )}
        {isNew && <RememberMe quote={quote} />}
      </div>
    </Fold>
  );
}

interface AdditionsProps extends Pick<ReceiptProps, 'entry' | 'replacedBy'> {
  readonly quote: Quote;
  readonly now: number;
  readonly look: Look;
}

export const PaperFold = ({ entry, quote }: Pick<AdditionsProps, 'entry' | 'quote'>) => (
  <Fold title={words.papers}>
    <Papers entry={entry} quote={quote} />
  </Fold>
);

export function Additions({ entry, quote, replacedBy, now, look }: AdditionsProps) {
  if (entry.state.kind === 'refused' || replacedBy) return null;
  return (
    <Fold title={words.additions} isOpen={hasAdditions(entry)}>
      <Details entry={entry} quote={quote} now={now} />
      {placeOfPapers(entry, look) === 'additions' && <PaperFold entry={entry} quote={quote} />}
      <Files entry={entry} />
    </Fold>
  );
}

export function More({ entry, replacedBy, look, now, otherActions, onCorrect, onRepeated, onSeeOffer }: SectionProps) {
  const { quote, state } = entry;
  const isRefused = state.kind === 'refused';
  const offer = acceptableOffer(entry, serverNow(entry, now));
  if (!quote && !otherActions) return null;
  return (
    <Fold title={words.more}>
      {quote && isSummaryInMore(entry, look) && <Summary quote={quote} isNew={false} />}
      {quote && state.kind === 'waiting' && look === 'waiting' && <HandOff quote={quote} />}
      {state.kind === 'waiting' && <StorageLine />}
      {quote && (
        <div className={styles['acts']}>
          {isCorrectable(entry) && !replacedBy && look !== 'correction' && (
            <Correct entry={entry} onCorrect={onCorrect} />
          )}
          {!isRefused && <RepeatQuote quote={quote} onCorrect={onCorrect} onRepeated={onRepeated} />}
        </div>
      )}
      {quote && hasClosedAdditions(entry) && (
        <Additions entry={entry} quote={quote} replacedBy={replacedBy} now={now} look={look} />
      )}
      {quote && placeOfPapers(entry, look) === 'more' && <PaperFold entry={entry} quote={quote} />}
      {look === 'accepted' && <SeeAgreedOffer entry={entry} onSee={onSeeOffer} />}
      {offer && <OfferCalendar entry={entry} offer={offer} />}
      {look === 'delivered' && <NoAlert />}
      {quote && state.kind === 'delivered' && <OtherPhone entry={entry} />}
      {state.kind === 'delivered' && (quote?.promociones || entry.answers.some(({ byMail }) => byMail)) && (
        <Withdrawals entry={entry} />
      )}
      {otherActions}
    </Fold>
  );
}
