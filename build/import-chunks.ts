import path from 'node:path';
import type { Plugin } from 'vite';

const OWN = path.resolve(import.meta.dirname, '../src/ui/import-chunk.ts');

/**
 * Replaces Vite's helper for `import()` by src/ui/import-chunk.ts. With Vite's helper, a module that failed to load
 * once fails until the page is reloaded.
 */
export function importChunks(): Plugin {
  return {
    name: 'import-chunks',
    enforce: 'pre',
    apply: 'build',
    load: {
      filter: { id: /^\0vite\/preload-helper\.js$/ },
      handler: () => `export { importChunk as __vitePreload } from ${JSON.stringify(OWN)}`,
    },
  };
}
