import { readFileSync } from 'node:fs';
import path from 'node:path';
import { transform, type TokenOrValue } from 'lightningcss';
import type { Plugin } from 'vite';

const FILE = path.resolve(import.meta.dirname, '../src/styles/tokens.css');

type Tokens = ReadonlyMap<string, TokenOrValue[]>;

/** Replaces each design token (CSS variable) that always has the same value by that value. */
export function inlineTokens(): Plugin {
  const tokens = constantTokens(readFileSync(FILE, 'utf8'));
  return {
    name: 'inline-tokens',
    apply: (_config, { mode }) => mode === 'production',
    transform: {
      filter: { id: /\.css(\?|$)/, code: '--' },
      handler: (code, id) => ({ code: withTokens(code, tokens, id.split('?')[0] === FILE), map: null }),
    },
  };
}

/** Returns the design tokens that the sheet sets only once, to a value without variables. */
export function constantTokens(css: string): Tokens {
  const values = new Map<string, TokenOrValue[]>();
  const overridden = new Set<string>();
  transform({
    filename: FILE,
    code: Buffer.from(css),
    visitor: {
      Declaration: {
        custom({ name, value }) {
          if (values.has(name)) overridden.add(name);
          values.set(name, value);
        },
      },
    },
  });
  const isConstant = ([name, value]: [string, TokenOrValue[]]) =>
    !overridden.has(name) && value.length === 1 && value.every(isSameEverywhere);
  return new Map([...values].filter(isConstant));
}

/** True if a value contains no variable: a variable can differ between elements. */
function isSameEverywhere({ type, value }: TokenOrValue): boolean {
  return type === 'function' ? value.arguments.every(isSameEverywhere) : type !== 'var';
}

export function withTokens(css: string, tokens: Tokens, isWhereTheyAreSet = false): string {
  const { code } = transform({
    filename: 'tokens.css',
    code: Buffer.from(css),
    visitor: {
      Declaration: {
        custom({ name }) {
          if (!tokens.has(name)) return undefined;
          if (!isWhereTheyAreSet) throw new Error(`${name} is set anew outside ${FILE}: it must not be constant.`);
          return [];
        },
      },
      Variable: ({ name }) => tokens.get(name.ident),
    },
  });
  return code.toString();
}
