import { codeOf, codesIn } from './code.ts';
import { hashOf, idOf } from './hash.ts';

/** A key of our own, so that a code of a quote that was handed over is no link. */
const said = (key: string) => `enlace ${key}`;

/**
 * The key that opens a quote on another phone. It is made of the quote's id and does not say it; after a closing of the
 * link it is another one. The database makes the same of both (supabase/schemas/80_links_and_recovery.sql).
 */
export async function linkKey(quoteId: string, closing: string | undefined): Promise<string> {
  const bytes = Uint8Array.from([quoteId, closing ?? ''].flatMap(bytesOf));
  return idOf((await hashOf(bytes)).slice(0, 16));
}

const bytesOf = (id: string) => (id.replaceAll('-', '').match(/../g) ?? []).map((hex) => Number.parseInt(hex, 16));

/** What stands behind the # of an address, which no browser sends to a server. */
export async function linkCode(quoteId: string, closing: string | undefined): Promise<string> {
  const key = await linkKey(quoteId, closing);
  return codeOf(key, said(key));
}

/** The keys in what was opened or pasted. One that was cut or changed is none. */
export function keysIn(text: string): readonly string[] {
  const keys = codesIn(text).flatMap(({ id, code }) => (codeOf(id, said(id)) === code ? id : []));
  return [...new Set(keys)];
}
