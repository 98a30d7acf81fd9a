import type { NewMessage } from '../lead/messages.ts';
import { deliverMessage } from '../outbox/delivery.ts';
import { outbox } from '../outbox/phone-outbox.ts';
import { withWaitingMark } from '../phone/quote-marks.ts';

/** Stores a message and starts to send it. Rejects if it cannot be stored. */
export async function storeMessage(quoteId: string, message: NewMessage): Promise<void> {
  await withWaitingMark(() => outbox.addMessage(quoteId, message));
  outbox.flush('due').catch(() => undefined);
}

/**
 * Stores a message and starts to send it. `kept`: stored. `sent`: could not be stored, but was sent directly.
 * `unsaved`: neither worked.
 */
export async function sendMessage(quoteId: string, message: NewMessage): Promise<'kept' | 'sent' | 'unsaved'> {
  try {
    await storeMessage(quoteId, message);
    return 'kept';
  } catch {
    const { kind } = await deliverMessage({ ...message, quoteId, pressedAt: Date.now() });
    return kind === 'delivered' ? 'sent' : 'unsaved';
  }
}
