import { LINK_ADDRESS } from '../agreements.ts';
import { messagesOfKind } from '../lead/messages.ts';
import { linkCode } from '../lead/quote-link.ts';
import type { Entry } from '../outbox/entry.ts';
import { fetchLinkedQuotes } from '../outbox/linked-quotes.ts';

/** False on pages without HTTPS, which have no `crypto.subtle` to compute links with. */
export const canLink = (): boolean => 'subtle' in crypto;

/**
 * Returns the link that opens a quote on another phone; undefined if the server no longer shows the quote. Another
 * phone may have revoked earlier links, so the server is asked first; without a connection the link is made from what
 * this phone knows.
 */
export async function linkOf({ id, messages }: Entry): Promise<string | undefined> {
  const ours = messagesOfKind(messages, 'cierre').findLast(({ state }) => state.kind !== 'refused');
  const linked = await fetchLinkedQuotes([id]);
  if (linked?.length === 0) return undefined;
  return `${location.origin}/${LINK_ADDRESS}${await linkCode(id, linked ? linked[0]!.closing : ours?.id)}`;
}
