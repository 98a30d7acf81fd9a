// Every `import()` of the page passes here, in place of Vite's helper (build/import-chunks.ts). Files of a part are
// fetched in parallel before the import: Firefox before 155 and Safari remember a failed module for the whole visit
// (https://github.com/whatwg/html/issues/6768), Safari even after a preload. Fetched files are imported from the cache.

declare global {
  interface Window {
    /** Fetches a file once, and again if it was lost. Defined in the document (src/landing/before-paint.ts). */
    bring: (file: string) => Promise<unknown>;
  }
}

const sheets = new Map<string, Promise<unknown>>();

function loadSheet(sheet: string): Promise<unknown> {
  const known = sheets.get(sheet);
  if (known) return known;
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = sheet;
  const loading = new Promise((resolve, reject) => {
    link.addEventListener('load', resolve);
    link.addEventListener('error', () => {
      sheets.delete(sheet);
      link.remove();
      reject(new Error(`No module ${sheet}`));
    });
  });
  sheets.set(sheet, loading);
  document.head.append(link);
  return loading;
}

export async function importChunk<Part>(importPart: () => Promise<Part>, files: readonly string[] = []): Promise<Part> {
  await Promise.all(files.map((file) => (file.endsWith('.css') ? loadSheet : window.bring)(`/${file}`)));
  return importPart();
}
