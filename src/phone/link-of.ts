import { LINK_ADDRESS } from '../agreements.ts';
import { messagesOfKind } from '../lead/messages.ts';
import { linkCode } from '../lead/quote-link.ts';
import type { Entry } from '../outbox/entry.ts';
import { fetchLinkedQuotes } from '../outbox/linked-quotes.ts';

/** False on insecure pages, which have no crypto.subtle. */
export const canLink = (): boolean => 'subtle' in crypto;

/**
 * Makes the link that opens a quote elsewhere; undefined if the server has closed it. Another phone may have closed
 * earlier links; without signal the link follows what this phone knows.
 */
export async function linkOf({ id, messages }: Entry): Promise<string | undefined> {
  const ours = messagesOfKind(messages, 'cierre').findLast(({ state }) => state.kind !== 'refused');
  const linked = await fetchLinkedQuotes([id]);
  if (linked?.length === 0) return undefined;
  return `${location.origin}/${LINK_ADDRESS}${await linkCode(id, linked ? linked[0]!.closing : ours?.id)}`;
}
