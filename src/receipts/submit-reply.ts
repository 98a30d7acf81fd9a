import type { NewReply } from '../outbox/conversation.ts';
import { deliverReply } from '../outbox/delivery.ts';
import { outbox } from '../outbox/phone-outbox.ts';
import { marked } from '../phone/waiting-mark.ts';

/** A reply goes to disk, then to the server. Rejects where the phone would not keep it. */
export async function keepReply(quoteId: string, reply: NewReply): Promise<void> {
  await marked(() => outbox.reply(quoteId, reply));
  outbox.flush('due').catch(() => undefined);
}

/** The same, also without a disk. `sent`: the phone would not keep it, but it has arrived. */
export async function submitReply(quoteId: string, reply: NewReply): Promise<'kept' | 'sent' | 'unsaved'> {
  try {
    await keepReply(quoteId, reply);
    return 'kept';
  } catch {
    const { answerId, ...said } = reply;
    const { kind } = await deliverReply({ ...said, quote_id: quoteId, answer_id: answerId });
    return kind === 'delivered' ? 'sent' : 'unsaved';
  }
}
