import { toBase64Url } from './base64url.ts';

const BYTES = 15;

/**
 * Tag that replaces a quote's id on push services and devices, because the id gives access to the quote. The tag is a
 * hash: nobody can guess the 122 random bits of an id. A folio would not do: two quotes can share one, and the second
 * alert would replace the first.
 */
export async function quoteTag(id: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`aeropuente ${id.toLowerCase()}`));
  return toBase64Url(new Uint8Array(hash, 0, BYTES));
}
