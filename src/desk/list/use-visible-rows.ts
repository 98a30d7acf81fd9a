import { useEffect, useEffectEvent, useLayoutEffect, useState, type RefObject } from 'react';

/** Rows rendered beyond the edge, so that a quick scroll shows no gap. */
const BEYOND = 8;

/** Rows of a scrolling list that are in view, and a function that scrolls to a row. */
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
    // Back from a lead on a narrow screen the scroll position may be wrong, or lost (Firefox).
    if (isShown && height > 0) scrollBack();
  }, [isShown, height]);
  return { ...range, scrollTo };
}

/** Height of a row in pixels, from the styles: text may be twice as large. */
function rowHeight(list: HTMLElement): number {
  const rems = Number.parseFloat(getComputedStyle(list).getPropertyValue('--row'));
  return rems * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
}
