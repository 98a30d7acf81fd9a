import { codeOf, codesIn } from './checked-code.ts';
import { hashOf, idOf } from './hash.ts';

/**
 * Returns the text from which a share link's check is computed. Because of the word 'enlace', the check differs from
 * that of a hand-off code, and a hand-off code does not work as a link.
 */
const checkedText = (key: string) => `enlace ${key}`;

/**
 * Returns the key that opens a quote on another phone. It is derived from the quote's id and the last revocation of the
 * share link, and does not reveal the id. The database computes the same (supabase/schemas/80_links_and_recovery.sql).
 */
export async function linkKey(quoteId: string, closing: string | undefined): Promise<string> {
  const bytes = Uint8Array.from([quoteId, closing ?? ''].flatMap(bytesOf));
  return idOf((await hashOf(bytes)).slice(0, 16));
}

const bytesOf = (id: string) => (id.replaceAll('-', '').match(/../g) ?? []).map((hex) => Number.parseInt(hex, 16));

/** Returns the code after the # of a share link. Browsers do not send this part of an address to servers. */
export async function linkCode(quoteId: string, closing: string | undefined): Promise<string> {
  const key = await linkKey(quoteId, closing);
  return codeOf(key, checkedText(key));
}

/** Finds the keys of share links in a link or a pasted text; incomplete or changed codes are ignored. */
export function keysIn(text: string): readonly string[] {
  const keys = codesIn(text).flatMap(({ id, code }) => (codeOf(id, checkedText(id)) === code ? id : []));
  return [...new Set(keys)];
}
