import { hashOf, hexOf } from './hash.ts';

const TAG = /\+([0-9a-f]{20})@/i;

/**
 * Tag of a quote in the address for replies, derived from the quote's id, which it does not reveal. The database
 * computes the same (private.mail_candidates).
 */
export async function mailTag(quoteId: string): Promise<string> {
  const id = quoteId
    .replaceAll('-', '')
    .match(/../g)!
    .map((hex) => Number.parseInt(hex, 16));
  const bytes = Uint8Array.from([...new TextEncoder().encode('mail '), ...id]);
  return hexOf((await hashOf(bytes)).slice(0, 10));
}

/** Address whose mail arrives in the mailbox of `address` (plus addressing). */
export const taggedAddress = (address: string, tag: string): string => address.replace('@', `+${tag}@`);

/** Tag in an address; undefined if there is none. */
export const tagIn = (address: string): string | undefined => TAG.exec(address)?.[1]?.toLowerCase();
