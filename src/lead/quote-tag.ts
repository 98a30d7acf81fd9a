import { toBase64Url } from './base64url.ts';

const BYTES = 15;

/**
 * Returns a tag that replaces the quote's id on push services and devices, because whoever has the id can open the
 * quote. The tag is a hash, from which the 122 random bits of the id cannot be guessed. A folio cannot replace the tag:
 * two quotes may have the same folio, and the alert about one would then replace the alert about the other.
 */
export async function quoteTag(id: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`aeropuente ${id.toLowerCase()}`));
  return toBase64Url(new Uint8Array(hash, 0, BYTES));
}
