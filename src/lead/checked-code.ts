const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CHECK_BITS = 40n;
const LENGTH = 34;

/**
 * Code found in a text, and the quote's id that it contains. A check inside the code fails if the text was changed.
 * `at`: position of the code in the text.
 */
export interface CheckedCode {
  readonly id: string;
  readonly code: string;
  readonly at: number;
}

export function codeOf(id: string, checked: string): string {
  const bits = (BigInt(`0x${id.replaceAll('-', '')}`) << CHECK_BITS) | checkOf(checked);
  return bits
    .toString(32)
    .padStart(LENGTH, '0')
    .replaceAll(/./g, (digit) => ALPHABET.charAt(Number.parseInt(digit, 32)));
}

export function codesIn(text: string): readonly CheckedCode[] {
  const pattern = new RegExp(`(?<![0-9A-Z])[${ALPHABET}]{${LENGTH}}(?![0-9A-Z])`, 'g');
  return [...text.toUpperCase().matchAll(pattern)].flatMap(({ 0: code, index: at }) => {
    let bits = 0n;
    for (const digit of code) bits = (bits << 5n) | BigInt(ALPHABET.indexOf(digit));
    const hex = (bits >> CHECK_BITS).toString(16).padStart(32, '0');
    if (hex.length > 32) return [];
    return { id: hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'), code, at };
  });
}

/** Computes an FNV-1a hash. It detects accidental changes, but gives no protection against forgery. */
function checkOf(text: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const character of text) hash = BigInt.asUintN(64, (hash ^ BigInt(character.codePointAt(0)!)) * 0x100000001b3n);
  return hash >> (64n - CHECK_BITS);
}
