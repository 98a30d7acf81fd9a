import { deliver, deliverMessage } from '../../src/outbox/delivery.ts';
import { createOutbox, type Outbox } from '../../src/outbox/outbox.ts';
import { now, openChannel, transact } from '../../src/outbox/phone-store.ts';
import type { Fault } from './faults.ts';

/** Fault of this simulation: a global variable in each simulated page and worker. */
declare const fault: Fault;

const means = { transact, send: deliver, sendMessage: deliverMessage, openChannel, now, chance: () => Math.random() };

/** Outbox like that of src/outbox/phone-outbox.ts, with dependencies that a fault may replace. */
const made = createOutbox({ ...means, ...fault.means?.(means) });
export const outbox: Outbox = { ...made, ...fault.outbox?.(made) };
