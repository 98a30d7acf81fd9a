import { useDeferredValue, type ReactNode } from 'react';

/** Renders its content after the next paint, so that a press above is answered first. */
export function NextPaint({ children }: { readonly children: ReactNode }) {
  return useDeferredValue(true, false) && children;
}
