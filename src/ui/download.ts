/** Milliseconds after which the file's address is released. Every browser has started the download by then. */
const KEEP_ADDRESS = 60_000;

export function download(name: string, type: string, content: BlobPart[]): void {
  const href = URL.createObjectURL(new Blob(content, { type }));
  Object.assign(document.createElement('a'), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), KEEP_ADDRESS);
}
