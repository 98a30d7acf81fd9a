import { QUOTES_MARK, WAITING_MARK } from '../agreements.ts';
import { tryStorage } from './storage-access.ts';

/** Writes that are running or failed: even a failed write may still land, and the disk does not show either. */
let writing = 0;

/**
 * Sets the mark before the write: without the mark the next visit sends nothing, and the tab may close before it sees
 * its own entry.
 */
export function withWaitingMark<Kept>(write: () => Promise<Kept>): Promise<Kept> {
  writing += 1;
  setWaitingMark(true);
  return write().then((result) => {
    writing -= 1;
    setQuotesMark(true);
    return result;
  });
}

/** Sets the mark of a phone that has a quote with its data. */
export function setQuotesMark(needed: boolean): void {
  tryStorage(() => (needed ? localStorage.setItem(QUOTES_MARK, '1') : localStorage.removeItem(QUOTES_MARK)));
}

export function setWaitingMark(needed: boolean): void {
  if (needed) tryStorage(() => localStorage.setItem(WAITING_MARK, '1'));
  else if (writing === 0) tryStorage(() => localStorage.removeItem(WAITING_MARK));
}
