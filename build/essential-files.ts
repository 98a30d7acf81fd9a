import path from 'node:path';
import type { Plugin, Rolldown } from 'vite';

/** Entry modules whose files, with their imports, are essential: page, form and state of a quote. */
const BEGINNINGS = [
  'index.html',
  'src/landing/after-load.ts',
  'src/phone/update.ts',
  'src/landing/quote-form.ts',
  'src/form/send-quote.ts',
  'src/form/WeightHelper.tsx',
  'src/landing/Quote.tsx',
  'src/receipts/Receipt.tsx',
  'src/receipts/HandOff.tsx',
  'src/receipts/watch-stub.ts',
  'src/receipts/Tray.tsx',
  'src/receipts/TrayDialog.tsx',
  'src/receipts/Answers.tsx',
  'src/receipts/way-back.ts',
  'src/phone/PhoneSettings.tsx',
  'src/phone/keep-asking.ts',
];

/** Document, picture and styles that no chunk imports. */
const UNBUNDLED = ['index.html', 'hero-globe.svg', 'es.css', 'en-MX.css'];

/**
 * Finds the essential files in the bundle's module graph. On a phone that saves data, the worker caches only these
 * files.
 */
export function findEssentialFiles(): { readonly plugin: Plugin; readonly has: (url: string) => boolean } {
  const files = new Set(UNBUNDLED);
  const plugin: Plugin = {
    name: 'find-essential-files',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      for (const beginning of BEGINNINGS) {
        const module = path.resolve(import.meta.dirname, '..', beginning);
        const chunk = chunks.find(({ moduleIds }) => moduleIds.includes(module));
        if (!chunk) throw new Error(`${beginning} is in no chunk (build/essential-files.ts).`);
        add(chunk, bundle);
      }
    },
  };

  function add(chunk: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle) {
    if (files.has(chunk.fileName)) return;
    files.add(chunk.fileName);
    for (const sheet of chunk.viteMetadata?.importedCss ?? []) files.add(sheet);
    for (const name of chunk.imports) add(bundle[name] as Rolldown.OutputChunk, bundle);
  }

  return { plugin, has: (url) => files.has(url) };
}
