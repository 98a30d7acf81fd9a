import { deliver, deliverReply } from './delivery.ts';
import { createOutbox } from './outbox.ts';
import { createOpenStore } from './store.ts';

/** The outbox of this page or worker. All of them on one phone share its disk, and hear each other. */
export const outbox = createOutbox({
  openStore: createOpenStore(),
  send: deliver,
  sendReply: deliverReply,
  openChannel: () => new BroadcastChannel('aeropuente-quotes'),
  now: () => Date.now(),
  chance: () => Math.random(),
});
