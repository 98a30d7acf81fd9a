import { useEffect, useState } from 'react';
import { askedDetails as asked, details as words, detailsInWords } from '../content/details.ts';
import { mainWords } from '../content/bilingual.ts';
import { readDetails, type Details as Said } from '../lead/details.ts';
import { isAgreed } from '../lead/offer.ts';
import { messagesOfKind } from '../lead/messages.ts';
import { newId, type Quote } from '../lead/quote.ts';
import { isPast } from '../lead/tijuana.ts';
import type { Entry } from '../outbox/entry.ts';
import { endTabDraft, readTabDraft } from '../phone/tab-draft.ts';
import { ActWords } from './ActWords.tsx';
import { takeFocus } from '../ui/focus.ts';
import { Inline } from '../ui/Inline.tsx';
import { useOnline } from '../ui/use-online.ts';
import styles from './Details.module.css';
import { DetailsForm } from './DetailsForm.tsx';
import { fetchDetails } from './fetch-details.ts';
import { sendMessage } from './send-message.ts';
import { sayNotKept } from './say-not-kept.ts';

/** Answer of the database (supabase/schemas/60_shipment_and_files.sql). */
const TOO_LATE = 'An offer stands';

interface Props {
  readonly entry: Entry;
  readonly quote: Quote;
  readonly now: number;
}

/** What is shipped: said after the receipt, changed until an offer stands, sent behind the quote. */
export function Details({ entry, quote, now }: Props) {
  const { id, answers, openedAt } = entry;
  const [isOpen, setOpen] = useState(() => readTabDraft('details', id) !== undefined);
  /** Opened or closed by a press: its button goes, and what comes in its place takes the focus. */
  const [isPressed, setPressed] = useState(false);
  /** Said on another phone; null is nothing. */
  const [heard, setHeard] = useState<Said | null>();
  const isOnline = useOnline();
  const own = messagesOfKind(entry.messages, 'detalles').at(-1);
  const where = own?.state.kind;
  const isTooLate =
    own?.state.kind === 'refused' &&
    own.state.refusal.kind === 'rejected' &&
    own.state.refusal.message.startsWith(TOO_LATE);
  const isDelivered = entry.state.kind === 'delivered';
  useEffect(() => {
    let isOver = false;
    if (isOnline && isDelivered && where !== 'waiting' && (isOpen || openedAt !== undefined || where === 'refused'))
      void fetchDetails(id).then((last) => !isOver && last !== undefined && setHeard(last));
    return () => void (isOver = true);
  }, [id, isOpen, isDelivered, where, openedAt, isOnline]);
  const kept = messagesOfKind(entry.messages, 'detalles').findLast(({ state }) => state.kind !== 'refused');
  const ours = readDetails(kept?.details);
  const said = where === 'waiting' ? ours : (heard ?? ours);
  const lines = detailsInWords(said, now, quote);
  const isBound = answers.some(
    ({ kind, state, validUntil }) =>
      kind === 'oferta' &&
      (state === 'vigente' ? !(validUntil && isPast(validUntil, now)) : isAgreed(state) && state !== 'sinespacio'),
  );
  /** An offer may come meanwhile; what was begun is back once it does not stand any more. */
  const isWriting = isOpen && !isBound;
  /** All of them are said at once: who has not read what another phone said would take it away. */
  const isRead = openedAt === undefined || own !== undefined || heard !== undefined;

  async function save(changed: Said) {
    const ending = await sendMessage(id, { id: newId(), kind: 'detalles', details: changed });
    if (ending === 'unsaved') return sayNotKept(id);
    setHeard(undefined);
    return close();
  }

  function close() {
    endTabDraft('details', id);
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
        {where && !isWriting && (
          <p>
            <Inline text={asked.states[where === 'refused' && !isTooLate ? 'wrong' : where]} />
          </p>
        )}
        {isBound && where !== 'refused' && (isOpen || lines.length > 0) && (
          <p>
            <Inline text={asked.bound} />
          </p>
        )}
      </div>
      {!isBound && !isOpen && isRead && (
        // The button that is back in its place takes the focus back.
        <button ref={isPressed ? takeFocus : undefined} className="button plain" type="button" onClick={open}>
          <ActWords text={lines.length > 0 ? asked.change : words.title} />
        </button>
      )}
      {isWriting && (
        <DetailsForm id={id} quote={quote} said={said} isAsked={isPressed} onSave={save} onCancel={close} />
      )}
    </div>
  );
}
