import { LINK_ADDRESS } from '../agreements.ts';
import { ofKind } from '../lead/messages.ts';
import { linkCode } from '../lead/quote-link.ts';
import type { Entry } from '../outbox/entry.ts';
import { fetchLinked } from '../outbox/linked.ts';

/** Only a page that came safely can make one. */
export const canLink = (): boolean => 'subtle' in crypto;

/**
 * The link that opens a quote elsewhere; undefined where the server says that it opens for nobody. Another phone may have
 * closed an earlier one; without signal the link is made of what this phone knows.
 */
export async function linkOf({ id, messages }: Entry): Promise<string | undefined> {
  const ours = ofKind(messages, 'cierre').findLast(({ state }) => state.kind !== 'refused');
  const linked = await fetchLinked([id]);
  if (linked?.length === 0) return undefined;
  return `${location.origin}/${LINK_ADDRESS}${await linkCode(id, linked ? linked[0]!.closing : ours?.id)}`;
}
