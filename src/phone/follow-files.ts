import type { Entry } from '../outbox/entry.ts';
import { outbox } from '../outbox/phone-outbox.ts';

let isBringing = false;
let known = 0;

/** What sends files comes once there is one; the bytes of one that its quote has no more go at once. */
export function followFiles(entries: readonly Entry[]): void {
  const files = entries.flatMap(({ replies }) => replies).filter(({ kind }) => kind === 'archivo');
  if (files.length < known)
    void import('../outbox/file-store.ts').then(({ tidyFiles }) => tidyFiles(outbox)).catch(() => undefined);
  known = files.length;
  if (isBringing || files.every(({ state }) => state.kind !== 'waiting')) return;
  isBringing = true;
  void import('../outbox/send-part.ts').then(
    () => outbox.flush('sign-of-life').catch(() => undefined),
    () => (isBringing = false),
  );
}
