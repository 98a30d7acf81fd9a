import { useEffect } from 'react';
import { QuoteForm } from '../form/QuoteForm.tsx';
import { later } from '../ui/later.tsx';

const loadReceipt = () => import('../receipts/Receipt.tsx').then((module) => module.Receipt);
const Receipt = later(loadReceipt);
const HandOff = later(() => import('../receipts/HandOff.tsx').then((module) => module.HandOff));

/** The form and, above it, the receipt of what was sent last. */
export function Quote() {
  useEffect(() => {
    // The receipt must be at hand when the signal is not.
    loadReceipt().catch(() => undefined);
  }, []);
  return <QuoteForm Receipt={Receipt} HandOff={HandOff} />;
}
