import { useEffect, type RefObject } from 'react';

// Text fields are left out, because a focused text field opens the keyboard on a phone.
const FOCUSABLE = 'button, a[href]';

/** Moves the focus when the focused button is removed: to the button in its place, or to the element `otherwise`. */
export function useFocusFallback(sheet: RefObject<HTMLElement | null>, otherwise: string): void {
  useEffect(() => {
    const element = sheet.current!;
    let focused: Node | null = null;
    const note = ({ target }: FocusEvent) => (focused = target as Node);
    const observer = new MutationObserver((records) => {
      if (document.activeElement !== document.body) return;
      const loss = records.find(({ removedNodes }) => [...removedNodes].some((node) => node.contains(focused)));
      if (!loss) return;
      const came = records.flatMap(({ target, addedNodes }) => (target === loss.target ? [...addedNodes] : []));
      const places = [...came, ...(loss.target === element ? [] : [loss.target])].filter(
        (node) => node instanceof HTMLElement && node.isConnected,
      ) as HTMLElement[];
      const next = places.map((node) => (node.matches(FOCUSABLE) ? node : node.querySelector<HTMLElement>(FOCUSABLE)));
      (next.find(Boolean) ?? element.querySelector<HTMLElement>(otherwise))?.focus({ preventScroll: true });
    });
    element.addEventListener('focusin', note);
    observer.observe(element, { childList: true, subtree: true });
    return () => {
      element.removeEventListener('focusin', note);
      observer.disconnect();
    };
  }, [sheet, otherwise]);
}
