import { messagesOfKind } from '../lead/messages.ts';
import type { Entry } from '../outbox/entry.ts';
import { outbox } from '../outbox/phone-outbox.ts';

/**
 * Milliseconds until files without a quote are deleted. A deleted quote can be restored for eight seconds, or longer
 * while pointer or focus is on its toast.
 */
const TIDY_AFTER = 30_000;

let known = 0;
let tidying: ReturnType<typeof setTimeout> | undefined;

/** Deletes the files of quotes that no longer exist, after a delay. */
export function followFiles(entries: readonly Entry[]): void {
  const files = entries.flatMap(({ messages }) => messagesOfKind(messages, 'archivo'));
  if (files.length < known) {
    clearTimeout(tidying);
    tidying = setTimeout(
      () =>
        void import('../outbox/file-store.ts')
          .then(({ deleteUnusedFiles: tidyFiles }) => tidyFiles(outbox))
          .catch(() => undefined),
      TIDY_AFTER,
    );
  }
  known = files.length;
}
