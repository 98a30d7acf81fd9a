import path from 'node:path';
import type { Plugin } from 'vite';

const OWN = path.resolve(import.meta.dirname, '../src/ui/bring.ts');

/** Puts src/ui/bring.ts in the place of Vite's helper for `import()`, whose links make a lost module lost for good. */
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
