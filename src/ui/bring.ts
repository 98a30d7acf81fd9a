// Every `import()` of the page goes through this: it stands in place of Vite's own helper (build/bring-parts.ts). What a part
// needs comes side by side, by `fetch`, before any of it is imported. Of a module that the line lost, Firefox before 155
// and Safari remember for the whole visit that it failed, and ask for it no more, Safari also where a link had asked:
// https://github.com/whatwg/html/issues/6768. What was fetched is imported from the browser's cache.

declare global {
  interface Window {
    /** Fetches a file once, and again if it was lost. The document has it (src/landing/before-paint.ts). */
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
