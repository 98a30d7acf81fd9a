import type { ReceivedRow } from '../../lead/rows.ts';
import { createStore } from '../../ui/create-store.ts';
import { readWaitingMessages } from '../api/received.ts';

/** Milliseconds between two reads. They are needed because a new message does not change the version of any lead. */
const EVERY = 12_000;

/** Received messages that belong to no quote request yet, oldest first. */
export const received = createStore<readonly ReceivedRow[]>([]);

const askedAt = createStore(0);

export async function loadReceived(): Promise<void> {
  const at = Date.now();
  askedAt.set(at);
  const read = await readWaitingMessages();
  // The result of an older read is dropped, because it may contain a message that has been handled in the meantime.
  if (askedAt.read() !== at) return;
  const ids = (messages: readonly ReceivedRow[]) => messages.map(({ id }) => id).join();
  if (ids(read) !== ids(received.read())) received.set(read);
}

/** Reads the waiting messages again every few seconds. */
export function checkReceived(): void {
  if (Date.now() - askedAt.read() >= EVERY) loadReceived().catch(() => undefined);
}

export function forgetReceived(): void {
  askedAt.set(0);
  received.set([]);
}
