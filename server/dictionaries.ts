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

/** What a delta begins with, before the sum of its dictionary: a Zstandard frame that decoders skip. */
export const DCZ_MAGIC = Buffer.from('5e2a4d1820000000', 'hex');

/** The SHA-256 of the dictionary that the visitor has, as hexadecimal digits. */
export function offeredDictionary(header: string | string[] | undefined): string | undefined {
  const [, sum] = /^:([A-Za-z\d+/]{43}=):$/.exec(String(header)) ?? [];
  return sum && Buffer.from(sum, 'base64').toString('hex');
}
