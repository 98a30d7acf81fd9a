import { useState } from 'react';
import { quoteCopy as words } from '../content/quote-copy.ts';
import { QUOTES_ADDRESS } from '../agreements.ts';
import { folioOf } from '../lead/folio.ts';
import { faultIn, newId, type Quote } from '../lead/quote.ts';
import { FORM_DURATION, toast } from '../notices/toasts.ts';
import { outbox } from '../outbox/phone-outbox.ts';
import { askToCorrect } from '../phone/draft.ts';
import { withWaitingMark } from '../phone/quote-marks.ts';
import { ActionLabel } from './ActionLabel.tsx';
import { takeFocus } from '../ui/focus.ts';
import { copyQuote } from './copy-quote.ts';
import styles from './RepeatQuote.module.css';
import { Confirm } from './Confirm.tsx';
import { toastNotStored } from './toast-not-stored.ts';

interface Props {
  readonly quote: Quote;
  /** Called when the visitor starts a correction, before the form opens. */
  readonly onCorrect?: (() => void) | undefined;
  readonly onRepeated?: ((id: string) => void) | undefined;
}

/** Button that sends a copy as a new quote. The earlier quote does not change. */
export function RepeatQuote({ quote, onCorrect, onRepeated }: Props) {
  /** Id of the copy, chosen when the visitor is asked to confirm. Two presses of "yes" then send the same copy once. */
  const [newQuoteId, setNewQuoteId] = useState<string>();
  const [wasAsked, setWasAsked] = useState(false);

  function ask() {
    setWasAsked(true);
    // A quote recorded from a phone call may be incomplete. The form then opens, so that the visitor can complete the
    // copy.
    if (!faultIn(quote)) return setNewQuoteId(newId());
    onCorrect?.();
    return askToCorrect({ quote, delivered: true, isCopy: true, promociones: false });
  }

  async function send(id: string) {
    setNewQuoteId(undefined);
    setWasAsked(false);
    try {
      const copy = copyQuote(quote, id, await outbox.entries());
      await withWaitingMark(() => outbox.add(copy, { corrects: false }));
      outbox.flush('due').catch(() => undefined);
      toast(words.saved(folioOf(copy.id)), { type: 'info', duration: FORM_DURATION, about: copy.id });
      if (onRepeated) onRepeated(copy.id);
      else location.hash = QUOTES_ADDRESS;
    } catch {
      setWasAsked(true);
      toastNotStored(quote.id);
    }
  }

  if (!newQuoteId)
    return (
      <button ref={wasAsked ? takeFocus : undefined} className="button plain" type="button" onClick={ask}>
        <ActionLabel text={words.repeat} />
      </button>
    );
  return (
    <Confirm
      words={words}
      question={words.confirm}
      className={styles['asking']}
      onYes={() => void send(newQuoteId)}
      onNo={() => setNewQuoteId(undefined)}
    />
  );
}
