import { ofKind } from '../lead/messages.ts';
import type { Entry } from '../outbox/entry.ts';
import { outbox } from '../outbox/phone-outbox.ts';

/** A quote that was deleted can be brought back for eight seconds, and as long as that notice has pointer or focus. */
const TIDY_AFTER = 30_000;

let known = 0;
let tidying: ReturnType<typeof setTimeout> | undefined;

/** Removes the bytes of files that no quote has any more, a while after they went. */
export function followFiles(entries: readonly Entry[]): void {
  const files = entries.flatMap(({ messages }) => ofKind(messages, 'archivo'));
  if (files.length < known) {
    clearTimeout(tidying);
    tidying = setTimeout(
      () => void import('../outbox/file-store.ts').then(({ tidyFiles }) => tidyFiles(outbox)).catch(() => undefined),
      TIDY_AFTER,
    );
  }
  known = files.length;
}
