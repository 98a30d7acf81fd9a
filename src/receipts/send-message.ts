import type { NewMessage } from '../lead/messages.ts';
import { deliverMessage } from '../outbox/delivery.ts';
import { outbox } from '../outbox/phone-outbox.ts';
import { marked } from '../phone/waiting-mark.ts';

/** A message goes to disk, then to the server. Rejects if the phone does not keep it. */
export async function storeMessage(quoteId: string, message: NewMessage): Promise<void> {
  await marked(() => outbox.addMessage(quoteId, message));
  outbox.flush('due').catch(() => undefined);
}

/** The same, also without a disk. `sent`: the phone did not keep it, but it has arrived. */
export async function sendMessage(quoteId: string, message: NewMessage): Promise<'kept' | 'sent' | 'unsaved'> {
  try {
    await storeMessage(quoteId, message);
    return 'kept';
  } catch {
    const { kind } = await deliverMessage({ ...message, quoteId, pressedAt: Date.now() });
    return kind === 'delivered' ? 'sent' : 'unsaved';
  }
}
