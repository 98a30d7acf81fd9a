import type { ReceivedRow } from '../../lead/rows.ts';
import { createStore } from '../../ui/create-store.ts';
import { readWaitingMessages } from '../api/received.ts';
import { latestOnly } from '../latest-only.ts';

/**
 * Milliseconds between two reads of the messages. Regular reads are needed, because a new message does not change the
 * version of any lead.
 */
const EVERY = 12_000;

/** Received messages that belong to no quote request yet, oldest first. */
export const received = createStore<readonly ReceivedRow[]>([]);

const askedAt = createStore(0);

const readLatest = latestOnly(readWaitingMessages);

export async function loadReceived(): Promise<void> {
  askedAt.set(Date.now());
  const read = await readLatest();
  const ids = (messages: readonly ReceivedRow[]) => messages.map(({ id }) => id).join();
  if (read && ids(read) !== ids(received.read())) received.set(read);
}

/** Reads the customers' messages that belong to no lead yet, at most every few seconds. */
export function checkReceived(): void {
  if (Date.now() - askedAt.read() >= EVERY) loadReceived().catch(() => undefined);
}

export function forgetReceived(): void {
  askedAt.set(0);
  readLatest.forget();
  received.set([]);
}
