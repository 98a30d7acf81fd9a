import { deliver, deliverReply } from './delivery.ts';
import { createOutbox } from './outbox.ts';
import { now, openChannel, openStore } from './phone-store.ts';

/** The outbox of this page or worker. All of them on one phone share its disk, and hear each other. */
export const outbox = createOutbox({
  openStore,
  send: deliver,
  sendReply: deliverReply,
  openChannel,
  now,
  chance: () => Math.random(),
});
