import { hashOf, hexOf } from './hash.ts';

const TAG = /\+([0-9a-f]{20})@/i;

/**
 * Returns the tag by which a reply to a mail is matched to its quote. The tag is derived from the quote's id, but does
 * not reveal it. The database computes the same (private.mail_candidates).
 */
export async function mailTag(quoteId: string): Promise<string> {
  const id = quoteId
    .replaceAll('-', '')
    .match(/../g)!
    .map((hex) => Number.parseInt(hex, 16));
  const bytes = Uint8Array.from([...new TextEncoder().encode('mail '), ...id]);
  return hexOf((await hashOf(bytes)).slice(0, 10));
}

/** Adds the tag to a mail address (plus addressing): mail to the result arrives in the mailbox of `address`. */
export const taggedAddress = (address: string, tag: string): string => address.replace('@', `+${tag}@`);

export const tagIn = (address: string): string | undefined => TAG.exec(address)?.[1]?.toLowerCase();
