import { QUOTES_MARK, WAITING_MARK } from '../agreements.ts';
import { persistedText } from './persisted.ts';

const waitingMark = persistedText(WAITING_MARK);
const quotesMark = persistedText(QUOTES_MARK);

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
  quotesMark.set(needed ? '1' : undefined);
}

export function setWaitingMark(needed: boolean): void {
  if (needed || writing === 0) waitingMark.set(needed ? '1' : undefined);
}
