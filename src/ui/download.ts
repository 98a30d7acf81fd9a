/** Long enough for a browser to have taken it up. */
const KEEP_ADDRESS = 60_000;

/** Hands a file to the browser, which saves it under this name. */
export function download(name: string, type: string, content: BlobPart[]): void {
  const href = URL.createObjectURL(new Blob(content, { type }));
  Object.assign(document.createElement('a'), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), KEEP_ADDRESS);
}
