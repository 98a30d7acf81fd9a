import { useDeferredValue, type ReactNode } from 'react';

/** Renders its content after the next paint, so that the browser first shows the effect of a press. */
export function NextPaint({ children }: { readonly children: ReactNode }) {
  return useDeferredValue(true, false) && children;
}
