import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { FORM_ID } from '../agreements.ts';
import { serviceOf } from '../lead/services.ts';
import type { Receipt as Shown } from '../receipts/Receipt.tsx';
import { hasStub, removeStub } from '../receipts/current-stub.ts';
import { read } from '../form/controls.ts';
import { isSending, pressedQuote, unsavedQuote } from '../form/form-state.ts';
import { assistantValues } from '../phone/assistant-values.ts';
import { keepSending } from '../phone/keep-sending.ts';
import { useEntries } from '../phone/use-entries.ts';
import { lazyPart } from '../ui/lazy-part.tsx';
import { useStore } from '../ui/store.ts';
import type { QuoteFormElement } from './quote-form.ts';

const loadReceipt = () => import('../receipts/Receipt.tsx').then((module) => inPlaceOfStub(module.Receipt));
const Receipt = lazyPart(loadReceipt);
const HandOff = lazyPart(() => import('../receipts/HandOff.tsx').then((module) => module.HandOff));
const AssistantMarks = lazyPart(() => import('../form/AssistantMarks.tsx').then((module) => module.AssistantMarks));
const InstallOffer = lazyPart(() => import('../phone/InstallOffer.tsx').then((module) => module.InstallOffer));
const WeightHelper = lazyPart(() => import('../form/WeightHelper.tsx').then((module) => module.WeightHelper));

/**
 * Returns a component that replaces the stub by the full receipt without moving the page. The stub is the plain receipt
 * of a quote that was sent before React had loaded. If the focus was in the stub, it moves to the receipt.
 */
function inPlaceOfStub(ReceiptComponent: typeof Shown): typeof Shown {
  return function InPlaceOfStub(props) {
    const place = useRef<HTMLDivElement>(null);
    const [isShown] = useState(hasStub);
    useLayoutEffect(() => {
      if (!removeStub()) return;
      const receipt = place.current!.querySelector('article')!;
      receipt.tabIndex = -1;
      receipt.focus({ preventScroll: true });
    }, []);
    return (
      <div ref={place}>
        <ReceiptComponent {...props} isInPlace={isShown} />
      </div>
    );
  };
}

/**
 * Parts of the form that need React: receipt of the last quote, highlights of the assistant's values, weight
 * calculator, and the buttons that send an unstored quote by another app.
 */
export function Quote() {
  const [form, setForm] = useState<HTMLFormElement>();
  const hasUnconfirmed = useStore(assistantValues).size > 0;
  const quote = useStore(unsavedQuote);
  useEffect(() => {
    const found = document.getElementById(FORM_ID) as HTMLFormElement;
    setForm(found);
    keepSending();
    // The receipt's code is loaded now, because there may be no connection when the visitor sends a quote.
    loadReceipt().then(
      () => (quoteFormOf(found).dataset['receipt'] = ''),
      () => undefined,
    );
  }, []);
  return (
    <>
      <LastReceipt />
      {form && hasUnconfirmed && <AssistantMarks form={form} />}
      {form && <Helper form={form} />}
      {form && quote && createPortal(<HandOff quote={quote} />, quoteFormOf(form))}
    </>
  );
}

const quoteFormOf = (form: HTMLFormElement) => form.closest<QuoteFormElement>('quote-form')!;

function LastReceipt(): ReactNode {
  const last = useStore(pressedQuote);
  const found = useEntries().find(({ id }) => id === last?.id);
  /**
   * Id of the last quote, once its stored entry was found. If that entry is missing later, the quote was deleted, and
   * the receipt is hidden.
   */
  const [storedId, setStoredId] = useState<string>();
  if (found && found.id !== storedId) setStoredId(found.id);
  const isBusy = useStore(isSending);
  const entry = found ?? (last?.id === storedId ? undefined : last?.entry);
  if (!entry) return null;
  return (
    <>
      <Receipt key={entry.id} entry={entry} isNew />
      {!isBusy && <InstallOffer waiting={entry.state.kind === 'waiting'} />}
    </>
  );
}

/** Weight calculator inside the form's details element. */
function Helper({ form }: { readonly form: HTMLFormElement }): ReactNode {
  const place = form.querySelector('details')!;
  // The visitor may have opened the details element before React started.
  const [isOpened, setOpened] = useState(place.open);
  useEffect(() => {
    const open = () => setOpened(true);
    place.addEventListener('toggle', open);
    return () => place.removeEventListener('toggle', open);
  }, [place]);
  if (!isOpened) return null;
  const { fillWeight } = quoteFormOf(form).form;
  return createPortal(<WeightHelper cubic={serviceOf(read(form)).cubic} onUse={fillWeight} />, place);
}
