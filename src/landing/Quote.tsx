import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Receipt as Shown } from '../receipts/Receipt.tsx';
import { hasStub, takeStubAway } from '../receipts/shown-stub.ts';
import { QuoteForm } from '../form/QuoteForm.tsx';
import { later } from '../ui/later.tsx';

const loadReceipt = () => import('../receipts/Receipt.tsx').then((module) => inPlaceOfStub(module.Receipt));
const Receipt = later(loadReceipt);
const HandOff = later(() => import('../receipts/HandOff.tsx').then((module) => module.HandOff));

/** Before it is painted, so that nothing moves; the focus goes over to it. */
function inPlaceOfStub(Whole: typeof Shown): typeof Shown {
  return function InPlaceOfStub(props) {
    const place = useRef<HTMLDivElement>(null);
    const [isShown] = useState(hasStub);
    useLayoutEffect(() => {
      if (!takeStubAway()) return;
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

/** The form and, above it, the receipt of what was sent last. */
export function Quote() {
  useEffect(() => {
    // The receipt must be at hand when the signal is not.
    loadReceipt().catch(() => undefined);
  }, []);
  return <QuoteForm Receipt={Receipt} HandOff={HandOff} />;
}
