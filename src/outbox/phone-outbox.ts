import { deliver, deliverMessage } from './delivery.ts';
import { createOutbox } from './outbox.ts';
import { now, openChannel, transact } from './phone-store.ts';

export const outbox = createOutbox({
  transact,
  send: deliver,
  sendMessage: deliverMessage,
  openChannel,
  now,
  chance: () => Math.random(),
});
