import path from 'node:path';
import type { Plugin } from 'vite';

const OWN = path.resolve(import.meta.dirname, '../src/ui/bring.ts');

/**
 * Replaces Vite's helper for `import()` by src/ui/bring.ts: with Vite's preload links, a module that failed to load
 * once fails for the whole visit.
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
