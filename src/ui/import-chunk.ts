// Every `import()` of the page goes through this function, which replaces Vite's own (build/import-chunks.ts). It first
// fetches the files, all at the same time, and then imports them from the cache. The reason: if an import fails,
// Firefox before 155 and Safari do not try again during the whole visit (https://github.com/whatwg/html/issues/6768),
// Safari not even after a preload.

declare global {
  interface Window {
    /**
     * Fetches a file only once; if the file did not arrive, the next call fetches it again. Defined in
     * src/landing/before-paint.ts.
     */
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
