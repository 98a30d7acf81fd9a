import { useLayoutEffect, useRef, type RefObject } from 'react';

/** Returns a `ref`. If its element disappears while it has the focus, the focus moves to the button. */
export function useFocusReturn<Own extends HTMLElement>(button: RefObject<HTMLElement | null>): RefObject<Own | null> {
  const own = useRef<Own>(null);
  useLayoutEffect(() => {
    const element = own.current!;
    return () => {
      // oxlint-disable-next-line react-hooks/exhaustive-deps -- the button outlives the element
      if (element.contains(document.activeElement)) button.current?.focus();
    };
  }, [button]);
  return own;
}
