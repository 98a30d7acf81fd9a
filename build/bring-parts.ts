import path from 'node:path';
import type { Plugin } from 'vite';

const OWN = path.resolve(import.meta.dirname, '../src/ui/bring.ts');

/**
 * Replaces Vite's helper for `import()` by src/ui/bring.ts: Vite's preload links make a lost module fail for the whole
 * visit.
 */
export function bringParts(): Plugin {
  return {
    name: 'bring-parts',
    enforce: 'pre',
    apply: 'build',
    load: {
      filter: { id: /^\0vite\/preload-helper\.js$/ },
      handler: () => `export { importWith as __vitePreload } from ${JSON.stringify(OWN)}`,
    },
  };
}
