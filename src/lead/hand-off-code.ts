import { FIELDS } from './fields.ts';
import type { Quote } from './quote.ts';

/** Crockford's base 32, as of the folio: nothing in it is mistaken for something else. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CHECK_BITS = 40n;
/** The length of a code: 128 bits of id and 40 of check. */
const LENGTH = 34;

/** Carries the whole id of a quote, and a check over every word of it: what was changed on its way does not fit. */
export function handOffCode(quote: Quote): string {
  const id = BigInt(`0x${quote.id.replaceAll('-', '')}`);
  const bits = (id << CHECK_BITS) | checkOf(quote);
  return bits
    .toString(32)
    .padStart(LENGTH, '0')
    .replaceAll(/./g, (digit) => ALPHABET.charAt(Number.parseInt(digit, 32)));
}

/** The last code of a text, where it stands, and the id in it. */
export function idInCode(
  text: string,
): { readonly code: string; readonly at: number; readonly id: string } | undefined {
  const pattern = new RegExp(`(?<![0-9A-Z])[${ALPHABET}]{${LENGTH}}(?![0-9A-Z])`, 'g');
  const found = [...text.toUpperCase().matchAll(pattern)].at(-1);
  if (!found) return undefined;
  const [code] = found;
  let bits = 0n;
  for (const digit of code) bits = (bits << 5n) | BigInt(ALPHABET.indexOf(digit));
  const hex = (bits >> CHECK_BITS).toString(16).padStart(32, '0');
  if (hex.length > 32) return undefined;
  return { code, at: found.index, id: hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') };
}

/** FNV-1a; nobody needs to be kept from making one that fits. */
function checkOf({ id, llamada, promociones, reemplaza, ...quote }: Quote): bigint {
  const said = JSON.stringify([id, ...FIELDS.map((field) => quote[field]), !!llamada, !!promociones, reemplaza ?? '']);
  let hash = 0xcbf29ce484222325n;
  for (const character of said) hash = BigInt.asUintN(64, (hash ^ BigInt(character.codePointAt(0)!)) * 0x100000001b3n);
  return hash >> (64n - CHECK_BITS);
}
