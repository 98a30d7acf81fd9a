import { deliver, deliverMessage } from '../../src/outbox/delivery.ts';
import { createOutbox, type Outbox } from '../../src/outbox/outbox.ts';
import { now, openChannel, transact } from '../../src/outbox/phone-store.ts';
import type { Fault } from './faults.ts';

/** The fault of this world, as its pages and workers find it among the names of their browser. */
declare const fault: Fault;

const means = { transact, send: deliver, sendMessage: deliverMessage, openChannel, now, chance: () => Math.random() };

/** The outbox as src/outbox/phone-outbox.ts makes it, of dependencies that a fault may replace. */
const made = createOutbox({ ...means, ...fault.means?.(means) });
export const outbox: Outbox = { ...made, ...fault.outbox?.(made) };
