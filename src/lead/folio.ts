/** Crockford's base 32. It has no I, L, O and U, which people misread or mishear. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TYPED_FOLIO = /^(?:AP)?([0-9A-HJKMNP-TV-Z]{7})([0-9A-HJKMNP-TV-Z])$/;

/** Returns the folio, a quote's short name: `AP-XXXX-XXXX`. The database computes the same (private.quote_folio). */
export function folioOf(id: string): string {
  // The folio uses the first 35 bits of the id. Bitwise operators handle only 32 bits, so the characters are computed
  // by division.
  let rest = Math.floor(Number.parseInt(id.replaceAll('-', '').slice(0, 9), 16) / 2);
  let data = '';
  for (let place = 0; place < 7; place++) {
    data = ALPHABET.charAt(rest % 32) + data;
    rest = Math.floor(rest / 32);
  }
  return shown(data, checkOf(data));
}

/** Returns a typed or dictated folio in its usual form; undefined if the check character does not match. */
export function readFolio(typed: string): string | undefined {
  const plain = typed
    .toUpperCase()
    .replaceAll(/[\s\p{Pd}_.]/gu, '')
    .replaceAll(/[IL]/g, '1')
    .replaceAll('O', '0');
  const [, data, check] = TYPED_FOLIO.exec(plain) ?? [];
  return data && check && checkOf(data) === check ? shown(data, check) : undefined;
}

/**
 * Computes the check character, a sum over GF(32) that is doubled at each character. It detects every single wrong
 * character and every swap of two neighbours; a sum modulo 32 would miss some of them.
 */
function checkOf(data: string): string {
  let sum = 0;
  for (const character of data) {
    sum = (sum ^ ALPHABET.indexOf(character)) << 1;
    if (sum > 31) sum ^= 0b100101;
  }
  return ALPHABET.charAt(sum);
}

function shown(data: string, check: string): string {
  return `AP-${data.slice(0, 4)}-${data.slice(4)}${check}`;
}
