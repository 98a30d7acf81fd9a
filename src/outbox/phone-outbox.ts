import { deliver, deliverMessage } from './delivery.ts';
import { createOutbox } from './outbox.ts';
import { now, openChannel, transact } from './phone-store.ts';

/** The outbox of this page or worker. All of them on one phone share its disk, and hear each other. */
export const outbox = createOutbox({
  transact,
  send: deliver,
  sendMessage: deliverMessage,
  openChannel,
  now,
  chance: () => Math.random(),
});
