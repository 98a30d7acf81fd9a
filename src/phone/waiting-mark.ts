import { WAITING_MARK } from '../agreements.ts';
import { tryStorage } from './storage-access.ts';

/** Writes under way, and failed ones, which may still land: a look at the disk may miss both. */
let writing = 0;

/**
 * The mark stands before what waits is on disk: a tab may be closed before it has seen its own entry, and without the
 * mark the next visit sends nothing by itself.
 */
export function marked<Kept>(write: () => Promise<Kept>): Promise<Kept> {
  writing += 1;
  leaveMark(true);
  return write().then((kept) => {
    writing -= 1;
    return kept;
  });
}

export function leaveMark(needed: boolean): void {
  if (needed) tryStorage(() => localStorage.setItem(WAITING_MARK, '1'));
  else if (writing === 0) tryStorage(() => localStorage.removeItem(WAITING_MARK));
}
