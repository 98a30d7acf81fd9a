/** Crockford's base 32, without I, L, O and U, which are misread or misheard. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TYPED_FOLIO = /^(?:AP)?([0-9A-HJKMNP-TV-Z]{7})([0-9A-HJKMNP-TV-Z])$/;

/** Folio of a quote, its short name: `AP-XXXX-XXXX`. The database computes the same (private.quote_folio). */
export function folioOf(id: string): string {
  // Bitwise operators take 32 bits, so the upper 35 of these 36 bits are divided into seven characters by arithmetic.
  let rest = Math.floor(Number.parseInt(id.replaceAll('-', '').slice(0, 9), 16) / 2);
  let data = '';
  for (let place = 0; place < 7; place++) {
    data = ALPHABET.charAt(rest % 32) + data;
    rest = Math.floor(rest / 32);
  }
  return shown(data, checkOf(data));
}

/** Normalises a typed or dictated folio; undefined if its check character is wrong. */
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
 * Check character: a sum over GF(32) that doubles the weight at each character. One wrong character or two swapped
 * neighbours always change the sum; a sum modulo 32 could miss them.
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
