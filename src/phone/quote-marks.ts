import { QUOTES_MARK, WAITING_MARK } from '../agreements.ts';
import { persistedText } from './persisted.ts';

const waitingMark = persistedText(WAITING_MARK);
const quotesMark = persistedText(QUOTES_MARK);

/**
 * Writes that are running or have failed. WAITING_MARK stays set until all of them succeed, because a failed write may
 * still succeed later.
 */
const writes = new Set<() => unknown>();

/**
 * Sets WAITING_MARK in localStorage before the write starts, because the tab may close at any moment. Without the mark,
 * the next visit would not look for something to send.
 */
export function withWaitingMark<Kept>(write: () => Promise<Kept>): Promise<Kept> {
  writes.add(write);
  setWaitingMark(true);
  return write().then((result) => {
    writes.delete(write);
    setQuotesMark(true);
    return result;
  });
}

/** Sets or removes QUOTES_MARK, which tells the next visit that this phone has a quote. */
export function setQuotesMark(needed: boolean): void {
  quotesMark.set(needed ? '1' : undefined);
}

export function setWaitingMark(needed: boolean): void {
  if (needed || writes.size === 0) waitingMark.set(needed ? '1' : undefined);
}
