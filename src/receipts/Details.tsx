import { useEffect, useState } from 'react';
import { askedDetails as questions, details as words, detailsInWords } from '../content/details.ts';
import { mainWords } from '../content/bilingual.ts';
import type { Details as ShipmentDetails } from '../lead/details.ts';
import { isAgreed } from '../lead/offer.ts';
import { messagesOfKind } from '../lead/messages.ts';
import { newId, type Quote } from '../lead/quote.ts';
import { isPast } from '../lead/tijuana.ts';
import type { Entry } from '../outbox/entry.ts';
import { tabDraft } from '../phone/tab-draft.ts';
import { ActionLabel } from './ActionLabel.tsx';
import { takeFocus } from '../ui/focus.ts';
import { Inline } from '../ui/Inline.tsx';
import { useOnline } from '../ui/use-online.ts';
import styles from './Details.module.css';
import { DetailsForm } from './DetailsForm.tsx';
import { currentDetails } from './current-details.ts';
import { fetchDetails } from './fetch-details.ts';
import { sendMessage } from './send-message.ts';
import { toastNotStored } from './toast-not-stored.ts';

/**
 * Text of the database's error when the details can no longer be changed because of an offer
 * (supabase/schemas/60_shipment_and_files.sql).
 */
const TOO_LATE = 'An offer stands';

interface Props {
  readonly entry: Entry;
  readonly quote: Quote;
  readonly now: number;
}

/** Shipment details of a quote. They can be changed until there is a valid offer, and are sent after the quote. */
export function Details({ entry, quote, now }: Props) {
  const { id, answers, openedAt } = entry;
  const [isOpen, setOpen] = useState(() => tabDraft('details', id).get() !== undefined);
  /**
   * True if the visitor pressed a button that then disappeared. The element that replaces the button takes the focus.
   */
  const [isPressed, setPressed] = useState(false);
  /** Newest details on the server, sent by this or another phone; null if there are none. */
  const [serverDetails, setServerDetails] = useState<ShipmentDetails | null>();
  const isOnline = useOnline();
  const lastMessage = messagesOfKind(entry.messages, 'detalles').at(-1);
  const sendState = lastMessage?.state.kind;
  const isTooLate =
    lastMessage?.state.kind === 'refused' &&
    lastMessage.state.refusal.kind === 'rejected' &&
    lastMessage.state.refusal.message.startsWith(TOO_LATE);
  const isDelivered = entry.state.kind === 'delivered';
  useEffect(() => {
    let isObsolete = false;
    if (
      isOnline &&
      isDelivered &&
      sendState !== 'waiting' &&
      (isOpen || openedAt !== undefined || sendState === 'refused')
    )
      void fetchDetails(id).then((last) => !isObsolete && last !== undefined && setServerDetails(last));
    return () => void (isObsolete = true);
  }, [id, isOpen, isDelivered, sendState, openedAt, isOnline]);
  const details = currentDetails(entry.messages, serverDetails);
  const lines = detailsInWords(details, now, quote);
  const isBound = answers.some(
    ({ kind, state, validUntil }) =>
      kind === 'oferta' &&
      (state === 'vigente' ? !(validUntil && isPast(validUntil, now)) : isAgreed(state) && state !== 'sinespacio'),
  );
  // A new offer hides the open form. If the offer ends, the form comes back with its unsent texts.
  const isWriting = isOpen && !isBound;
  // Saving replaces all details. A phone that opened the quote by a share link must therefore first fetch the details
  // that another phone saved.
  const isKnown = openedAt === undefined || lastMessage !== undefined || serverDetails !== undefined;

  async function save(changed: ShipmentDetails) {
    const ending = await sendMessage(id, { id: newId(), kind: 'detalles', details: changed });
    if (ending === 'unsaved') return toastNotStored(id);
    setServerDetails(undefined);
    return close();
  }

  function close() {
    tabDraft('details', id).set(undefined);
    setPressed(true);
    setOpen(false);
  }

  function open() {
    setPressed(true);
    setOpen(true);
  }

  return (
    <div className={styles['details']}>
      {lines.length > 0 && !isWriting && (
        <dl className={styles['said']} aria-label={mainWords(words.title)}>
          {lines.map(({ label, value, theirs }) => (
            <div key={mainWords(label)} className={styles['line']}>
              <dt>{mainWords(label)}</dt>
              <dd translate={theirs ? 'no' : undefined}>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <div role="status" tabIndex={-1}>
        {sendState && !isWriting && (
          <p>
            <Inline text={questions.states[sendState === 'refused' && !isTooLate ? 'wrong' : sendState]} />
          </p>
        )}
        {isBound && sendState !== 'refused' && (isOpen || lines.length > 0) && (
          <p>
            <Inline text={questions.bound} />
          </p>
        )}
      </div>
      {!isBound && !isOpen && isKnown && (
        <button ref={isPressed ? takeFocus : undefined} className="button plain" type="button" onClick={open}>
          <ActionLabel text={lines.length > 0 ? questions.change : words.title} />
        </button>
      )}
      {isWriting && (
        <DetailsForm id={id} quote={quote} details={details} takesFocus={isPressed} onSave={save} onCancel={close} />
      )}
    </div>
  );
}
