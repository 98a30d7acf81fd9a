import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { FORM_ID } from '../agreements.ts';
import { serviceOf } from '../lead/services.ts';
import type { Receipt as Shown } from '../receipts/Receipt.tsx';
import { hasStub, removeStub } from '../receipts/current-stub.ts';
import { read } from '../form/controls.ts';
import { isSending, sent, unsaved } from '../form/sent.ts';
import { heard } from '../phone/heard.ts';
import { keepSending } from '../phone/keep-sending.ts';
import { useEntries } from '../phone/use-entries.ts';
import { later } from '../ui/later.tsx';
import { useStore } from '../ui/store.ts';
import type { QuoteFormElement } from './quote-form.ts';

const loadReceipt = () => import('../receipts/Receipt.tsx').then((module) => inPlaceOfStub(module.Receipt));
const Receipt = later(loadReceipt);
const HandOff = later(() => import('../receipts/HandOff.tsx').then((module) => module.HandOff));
const HeardMarks = later(() => import('../form/HeardMarks.tsx').then((module) => module.HeardMarks));
const InstallOffer = later(() => import('../phone/InstallOffer.tsx').then((module) => module.InstallOffer));
const WeightHelper = later(() => import('../form/WeightHelper.tsx').then((module) => module.WeightHelper));

/** Receipt that replaces the stub before a paint, so nothing moves, and inherits the focus. */
function inPlaceOfStub(Whole: typeof Shown): typeof Shown {
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
        <Whole {...props} isNew={Boolean(props.isNew) && !isShown} />
      </div>
    );
  };
}

/** Parts that React adds to the form: last receipt, marks of the assistant, weight helper, hand-over. */
export function Quote() {
  const [form, setForm] = useState<HTMLFormElement>();
  const isHeard = useStore(heard).size > 0;
  const quote = useStore(unsaved);
  useEffect(() => {
    const found = document.getElementById(FORM_ID) as HTMLFormElement;
    setForm(found);
    keepSending();
    // A press without signal needs the receipt.
    loadReceipt().then(
      () => (around(found).dataset['receipt'] = ''),
      () => undefined,
    );
  }, []);
  return (
    <>
      <LastReceipt />
      {form && isHeard && <HeardMarks form={form} />}
      {form && <Helper form={form} />}
      {form && quote && createPortal(<HandOff quote={quote} />, around(form))}
    </>
  );
}

const around = (form: HTMLFormElement) => form.closest<QuoteFormElement>('quote-form')!;

function LastReceipt(): ReactNode {
  const last = useStore(sent);
  const found = useEntries().find(({ id }) => id === last?.id);
  /** Id of an entry that was found on disk. Once it is deleted there, the written copy is hidden too. */
  const [seen, setSeen] = useState<string>();
  if (found && found.id !== seen) setSeen(found.id);
  const isBusy = useStore(isSending);
  const entry = found ?? (last?.id === seen ? undefined : last?.entry);
  if (!entry) return null;
  return (
    <>
      <Receipt key={entry.id} entry={entry} isNew />
      {!isBusy && <InstallOffer waiting={entry.state.kind === 'waiting'} />}
    </>
  );
}

/** Weight helper in the part of the form that opens. */
function Helper({ form }: { readonly form: HTMLFormElement }): ReactNode {
  const place = form.querySelector('details')!;
  // The visitor may have opened the part before React came.
  const [isOpened, setOpened] = useState(place.open);
  useEffect(() => {
    const open = () => setOpened(true);
    place.addEventListener('toggle', open);
    return () => place.removeEventListener('toggle', open);
  }, [place]);
  if (!isOpened) return null;
  const { fillWeight } = around(form).form;
  return createPortal(<WeightHelper cubic={serviceOf(read(form)).cubic} onUse={fillWeight} />, place);
}
