import { useEffect, useEffectEvent, useLayoutEffect, useState, type RefObject } from 'react';

/** Number of rows rendered above and below the visible ones, so that quick scrolling shows no gap. */
const BEYOND = 8;

/** Returns the range of rows that are in view in a scrolling list, and a function that scrolls to a row. */
export function useVisibleRows(box: RefObject<HTMLElement | null>, active: number) {
  const [range, setRange] = useState({ from: 0, to: 30, height: 0, isShown: false });
  const { height, isShown } = range;

  useLayoutEffect(() => {
    const list = box.current!;
    const measure = () => {
      const row = rowHeight(list);
      const from = Math.max(0, Math.floor(list.scrollTop / row) - BEYOND);
      const to = Math.ceil((list.scrollTop + list.clientHeight) / row) + BEYOND;
      const next = { from, to, height: row, isShown: list.clientHeight > 0 };
      setRange((last) => (JSON.stringify(last) === JSON.stringify(next) ? last : next));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(list);
    list.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      list.removeEventListener('scroll', measure);
    };
  }, [box]);

  const scrollTo = (index: number) => {
    const list = box.current!;
    const row = rowHeight(list);
    const end = (index + 1) * row - list.clientHeight;
    if (index * row < list.scrollTop) list.scrollTo({ top: index * row });
    else if (end > list.scrollTop) list.scrollTo({ top: end });
  };
  const scrollBack = useEffectEvent(() => {
    if (active >= 0) scrollTo(active);
  });
  useEffect(() => {
    // On a narrow screen an open lead hides the list. Firefox then loses the scroll position, so it is restored.
    if (isShown && height > 0) scrollBack();
  }, [isShown, height]);
  return { ...range, scrollTo };
}

/** Height of a row in pixels, computed from the styles because the text size may differ. */
function rowHeight(list: HTMLElement): number {
  const rems = Number.parseFloat(getComputedStyle(list).getPropertyValue('--row'));
  return rems * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
}
