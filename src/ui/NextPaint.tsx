import { useDeferredValue, type ReactNode } from 'react';

/** What stands further down: a press is answered by what is above it. */
export function NextPaint({ children }: { readonly children: ReactNode }) {
  return useDeferredValue(true, false) && children;
}
