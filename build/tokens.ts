import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const FILE = 'src/styles/tokens.css';

/**
 * Writes the tokens that nothing sets anew, and that are shorter than their names, where they are used, and the others
 * without the spaces that a minifier leaves in them.
 */
export function shortTokens(): Plugin {
  const declarations = [...readFileSync(FILE, 'utf8').matchAll(/^\s*(--[\w-]+): ([^;]+);\n/gm)];
  const short = new Map<string, string>();
  for (const [, name, value] of declarations) {
    const isOnce = declarations.filter(([, other]) => other === name).length === 1;
    if (isOnce && value!.length < `var(${name})`.length && !value!.includes('var(')) short.set(name!, value!);
  }

  return {
    name: 'short-tokens',
    enforce: 'pre',
    apply: 'build',
    transform(code, id) {
      if (!id.endsWith('.css')) return null;
      return code
        .replaceAll(/^\s*(--[\w-]+): [^;]+;\n/gm, (declaration, name: string) =>
          short.has(name) ? '' : declaration.replaceAll(', ', ','),
        )
        .replaceAll(/var\((--[\w-]+)\)/g, (use, name: string) => short.get(name) ?? use);
    },
  };
}
