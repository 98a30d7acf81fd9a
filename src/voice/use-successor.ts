import { useLayoutEffect, useRef, type RefObject } from 'react';

/** Moves the focus to the button when the focused element disappears. */
export function useSuccessor<Own extends HTMLElement>(button: RefObject<HTMLElement | null>): RefObject<Own | null> {
  const own = useRef<Own>(null);
  useLayoutEffect(() => {
    const going = own.current!;
    return () => {
      // oxlint-disable-next-line react-hooks/exhaustive-deps -- it outlives all that goes
      if (going.contains(document.activeElement)) button.current?.focus();
    };
  }, [button]);
  return own;
}
