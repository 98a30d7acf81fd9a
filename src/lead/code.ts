/** Crockford's base 32, as of the folio: nothing in it is mistaken for something else. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CHECK_BITS = 40n;
/** The length of a code: 128 bits of id and 40 of check. */
const LENGTH = 34;

/** A code carries a whole id, and a check over every word of what it stands for: what was changed on its way does not fit. */
export interface Code {
  readonly id: string;
  readonly code: string;
  /** Where it stands in the text that was read. */
  readonly at: number;
}

/** The code of this id, with a check over `said`. */
export function codeOf(id: string, said: string): string {
  const bits = (BigInt(`0x${id.replaceAll('-', '')}`) << CHECK_BITS) | checkOf(said);
  return bits
    .toString(32)
    .padStart(LENGTH, '0')
    .replaceAll(/./g, (digit) => ALPHABET.charAt(Number.parseInt(digit, 32)));
}

/** The codes in a text, whether they fit or not. */
export function codesIn(text: string): readonly Code[] {
  const pattern = new RegExp(`(?<![0-9A-Z])[${ALPHABET}]{${LENGTH}}(?![0-9A-Z])`, 'g');
  return [...text.toUpperCase().matchAll(pattern)].flatMap(({ 0: code, index: at }) => {
    let bits = 0n;
    for (const digit of code) bits = (bits << 5n) | BigInt(ALPHABET.indexOf(digit));
    const hex = (bits >> CHECK_BITS).toString(16).padStart(32, '0');
    if (hex.length > 32) return [];
    return { id: hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'), code, at };
  });
}

/** FNV-1a; nobody needs to be kept from making one that fits. */
function checkOf(said: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const character of said) hash = BigInt.asUintN(64, (hash ^ BigInt(character.codePointAt(0)!)) * 0x100000001b3n);
  return hash >> (64n - CHECK_BITS);
}
