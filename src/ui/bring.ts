// Every `import()` of the page passes here, in place of Vite's helper (build/bring-parts.ts). Files of a part are
// fetched in parallel before the import: Firefox before 155 and Safari remember a failed module for the whole visit
// (https://github.com/whatwg/html/issues/6768), Safari even after a preload. Fetched files are imported from the cache.

declare global {
  interface Window {
    /** Fetches a file once, and again if it was lost. Defined in the document (src/landing/before-paint.ts). */
    bring: (file: string) => Promise<unknown>;
  }
}

const worn = new Map<string, Promise<unknown>>();

function wear(sheet: string): Promise<unknown> {
  const known = worn.get(sheet);
  if (known) return known;
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = sheet;
  const wearing = new Promise((resolve, reject) => {
    link.addEventListener('load', resolve);
    link.addEventListener('error', () => {
      worn.delete(sheet);
      link.remove();
      reject(new Error(`No module ${sheet}`));
    });
  });
  worn.set(sheet, wearing);
  document.head.append(link);
  return wearing;
}

export async function importWith<Part>(importPart: () => Promise<Part>, files: readonly string[] = []): Promise<Part> {
  await Promise.all(files.map((file) => (file.endsWith('.css') ? wear : window.bring)(`/${file}`)));
  return importPart();
}
