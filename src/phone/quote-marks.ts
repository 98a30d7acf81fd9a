import { QUOTES_MARK, WAITING_MARK } from '../agreements.ts';
import { persistedText } from './persisted.ts';

const waitingMark = persistedText(WAITING_MARK);
const quotesMark = persistedText(QUOTES_MARK);

/** Writes that are running or failed. WAITING_MARK stays set until all succeed: a failed write may succeed late. */
const writes = new Set<() => unknown>();

/**
 * Sets the key WAITING_MARK before the write starts. Without this key the next visit would send nothing, and the tab
 * may close before it learns of its own entry.
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

/** Sets or removes QUOTES_MARK: this phone has a quote with its data. */
export function setQuotesMark(needed: boolean): void {
  quotesMark.set(needed ? '1' : undefined);
}

export function setWaitingMark(needed: boolean): void {
  if (needed || writes.size === 0) waitingMark.set(needed ? '1' : undefined);
}
