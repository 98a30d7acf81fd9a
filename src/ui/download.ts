/** Milliseconds in which every browser starts the download. */
const KEEP_ADDRESS = 60_000;

/** Saves a file under this name. */
export function download(name: string, type: string, content: BlobPart[]): void {
  const href = URL.createObjectURL(new Blob(content, { type }));
  Object.assign(document.createElement('a'), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), KEEP_ADDRESS);
}
