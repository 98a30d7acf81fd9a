import { toBase64Url } from './base64url.ts';

const BYTES = 15;

/**
 * Stand-in for a quote's id, which opens the quote, on push services and devices. A folio would not do: two quotes can
 * share one, and the second alert would replace the first. The hash hides the id, whose 122 random bits nobody can
 * guess.
 */
export async function quoteTag(id: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`aeropuente ${id.toLowerCase()}`));
  return toBase64Url(new Uint8Array(hash, 0, BYTES));
}
