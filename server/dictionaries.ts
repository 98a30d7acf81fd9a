// Compression Dictionary Transport: a phone that has a file of an earlier release is sent what differs
// (https://www.rfc-editor.org/rfc/rfc9842).

const HASHED = /^(\/(?:assets|mesa|worker)\/.+)-[\w-]{8}(\.(?:js|css))$/;
const DOCUMENT = /^\/(?!mesa)[\w-]+\.html$/;

/** Which later files one may be the dictionary of: those that have its name but for the hash. */
export function successorsOf(pathname: string): string | undefined {
  const [, stem, ending] = HASHED.exec(pathname) ?? [];
  if (stem) return `${stem}-*${ending}`;
  return DOCUMENT.test(pathname) ? `${pathname}*` : undefined;
}

/** Of the dictionary's SHA-256, as hexadecimal digits: enough to name a file by. */
export const DIGITS = 16;

/** `file.js.0123456789abcdef.dcz`: what differs from the file with this sum. */
export const DELTA = new RegExp(`^(.+)\\.([0-9a-f]{${DIGITS}})\\.dcz$`);

/** What a delta begins with, before the sum of its dictionary: a Zstandard frame that decoders skip. */
export const DCZ_MAGIC = Buffer.from('5e2a4d1820000000', 'hex');

/** The sum of the dictionary that the visitor has, as it stands in a file's name. */
export function offeredDictionary(header: string | string[] | undefined): string | undefined {
  const [, sum] = /^:([A-Za-z\d+/]{43}=):$/.exec(String(header)) ?? [];
  return sum && Buffer.from(sum, 'base64').toString('hex').slice(0, DIGITS);
}
