import { codeOf, codesIn } from './checked-code.ts';
import { hashOf, idOf } from './hash.ts';

/**
 * Text over which the check is computed. Its prefix differs from that of a handed-over quote, whose code must not work
 * as a link.
 */
const checkedText = (key: string) => `enlace ${key}`;

/**
 * Key that opens a quote on another phone, derived from the quote's id and the last revocation of the link. The key
 * does not reveal the id. The database computes the same (supabase/schemas/80_links_and_recovery.sql).
 */
export async function linkKey(quoteId: string, closing: string | undefined): Promise<string> {
  const bytes = Uint8Array.from([quoteId, closing ?? ''].flatMap(bytesOf));
  return idOf((await hashOf(bytes)).slice(0, 16));
}

const bytesOf = (id: string) => (id.replaceAll('-', '').match(/../g) ?? []).map((hex) => Number.parseInt(hex, 16));

/** Code that follows the # in a link; browsers do not send this part to servers. */
export async function linkCode(quoteId: string, closing: string | undefined): Promise<string> {
  const key = await linkKey(quoteId, closing);
  return codeOf(key, checkedText(key));
}

/** Finds the keys in an opened link or pasted text; incomplete or changed codes are ignored. */
export function keysIn(text: string): readonly string[] {
  const keys = codesIn(text).flatMap(({ id, code }) => (codeOf(id, checkedText(id)) === code ? id : []));
  return [...new Set(keys)];
}
