import { toBase64Url } from './base64url.ts';

const BYTES = 15;

/**
 * What stands for a quote where its id must not, which opens it: a push service sees this, and a device keeps it. Not
 * the folio: two quotes can have one, and the alert of the second would take the place of the first. An id is 122
 * random bits, so nobody finds it by its hash.
 */
export async function quoteTag(id: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`aeropuente ${id.toLowerCase()}`));
  return toBase64Url(new Uint8Array(hash, 0, BYTES));
}
