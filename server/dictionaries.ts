// This file is about Compression Dictionary Transport: a browser that has a file of an earlier release receives only
// the differences (https://www.rfc-editor.org/rfc/rfc9842).

const HASHED = /^(\/(?:assets|mesa|worker)\/.+)-[\w-]{8}(\.(?:js|css))$/;
const DOCUMENT = /^\/(?!mesa)[\w-]+\.html$/;

export function successorsOf(pathname: string): string | undefined {
  const [, stem, ending] = HASHED.exec(pathname) ?? [];
  if (stem) return `${stem}-*${ending}`;
  return DOCUMENT.test(pathname) ? `${pathname}*` : undefined;
}

export const DCZ_MAGIC = Buffer.from('5e2a4d1820000000', 'hex');

export function offeredDictionary(header: string | string[] | undefined): string | undefined {
  const [, sum] = /^:([A-Za-z\d+/]{43}=):$/.exec(String(header)) ?? [];
  return sum && Buffer.from(sum, 'base64').toString('hex');
}
