import { messagesOfKind } from '../lead/messages.ts';
import type { Outbox } from '../outbox/outbox.ts';

/**
 * Milliseconds until files without a quote are deleted. Until then the visitor can undo the removal of a quote: for
 * eight seconds, or longer while pointer or focus is on the toast.
 */
const TIDY_AFTER = 30_000;

/** Deletes the files of removed quotes after a delay. */
export function followFiles(outbox: Pick<Outbox, 'entries' | 'watch'>): void {
  let known = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tidy = () =>
    void import('../outbox/file-store.ts')
      .then(({ deleteUnusedFiles }) => deleteUnusedFiles(outbox))
      .catch(() => undefined);
  outbox.watch((entries) => {
    const count = entries.flatMap(({ messages }) => messagesOfKind(messages, 'archivo')).length;
    if (count < known) {
      clearTimeout(timer);
      timer = setTimeout(tidy, TIDY_AFTER);
    }
    known = count;
  });
}
