import { codeOf, codesIn } from './checked-code.ts';
import { hashOf, idOf } from './hash.ts';

/** Prefix of the check: the code of a handed-over quote must not work as a link. */
const checkedText = (key: string) => `enlace ${key}`;

/**
 * Key that opens a quote on another phone. Derived from the quote's id, which it does not reveal, and from the last
 * closing. The database computes the same (supabase/schemas/80_links_and_recovery.sql).
 */
export async function linkKey(quoteId: string, closing: string | undefined): Promise<string> {
  const bytes = Uint8Array.from([quoteId, closing ?? ''].flatMap(bytesOf));
  return idOf((await hashOf(bytes)).slice(0, 16));
}

const bytesOf = (id: string) => (id.replaceAll('-', '').match(/../g) ?? []).map((hex) => Number.parseInt(hex, 16));

/** Code after the # of an address, which browsers do not send to servers. */
export async function linkCode(quoteId: string, closing: string | undefined): Promise<string> {
  const key = await linkKey(quoteId, closing);
  return codeOf(key, checkedText(key));
}

/** Finds the keys in opened or pasted text; cut or changed codes are ignored. */
export function keysIn(text: string): readonly string[] {
  const keys = codesIn(text).flatMap(({ id, code }) => (codeOf(id, checkedText(id)) === code ? id : []));
  return [...new Set(keys)];
}
