import type { Entry } from '../outbox/entry.ts';
import { outbox } from '../outbox/phone-outbox.ts';

/** A quote that was deleted can be brought back for eight seconds, and as long as that notice has pointer or focus. */
const TIDY_AFTER = 30_000;

let isBringing = false;
let known = 0;
let tidying: ReturnType<typeof setTimeout> | undefined;

/** What sends files comes once there is one; the bytes of one that its quote has no more go later. */
export function followFiles(entries: readonly Entry[]): void {
  const files = entries.flatMap(({ replies }) => replies).filter(({ kind }) => kind === 'archivo');
  if (files.length < known) {
    clearTimeout(tidying);
    tidying = setTimeout(
      () => void import('../outbox/file-store.ts').then(({ tidyFiles }) => tidyFiles(outbox)).catch(() => undefined),
      TIDY_AFTER,
    );
  }
  known = files.length;
  if (isBringing || files.every(({ state }) => state.kind !== 'waiting')) return;
  isBringing = true;
  void import('../outbox/send-part.ts').then(
    () => outbox.flush('sign-of-life').catch(() => undefined),
    () => (isBringing = false),
  );
}
