import { globSync, readFileSync } from 'node:fs';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';

// Habits that make comments and test titles hard to read (CONTRIBUTING.md, 'House rules').

const HEADLESS =
  /^(what|who|whom|whose|whoever|whatever|of|by|as|so|for|how|where|wherever|that|those|these|such|ones?|nothing|nobody|its?|else|once|here|there|thus|also|but|and|then|till|until|only|never|not)\b/i;
const WORN =
  /\b(anew|meanwhile|thereby|therein|whereof|reckon(ed|s)?|no more\b(?! than)|(is|are|was) (told|said|heard)|is there to be|is one of|stands? (there|in|for|on|beside|under)|holds up|all the same|of it all|and be it|whichever|perhaps|likewise|heretofore|(is|are) no \w+|nor)\b/i;
const LONGEST_TITLE = 16;

/**
 * Comments and titles that are allowed although they match: the exact text, with the reason.
 * An exception that matches no text also fails the test.
 */
const EXCEPTIONS: ReadonlyMap<string, string> = new Map<string, string>([]);

const used = new Set<string>();
const isException = (text: string) => EXCEPTIONS.has(text) && used.add(text);

function readsOf(file: string): string[] {
  const found: string[] = [];
  const report = (line: number, text: string, habit: string) => {
    if (!isException(text)) found.push(`${file}:${line + 1} ${habit}: ${text}`);
  };
  let lastComment = -2;
  for (const [line, row] of readFileSync(file, 'utf8').split('\n').entries()) {
    const comment =
      /^\s*(?:\/\/|\/\*\*?|\*(?!\/)|--)\s?(.*?)(?:\s*\*\/)?\s*$/.exec(row)?.[1] ??
      /\s(?:\/\/|\/\*\*?)\s(.*?)(?:\*\/)?\s*$/.exec(row)?.[1];
    if (comment && !/^\s*(@|oxlint)/.test(comment)) {
      if (lastComment !== line - 1 && HEADLESS.test(comment.trim())) report(line, comment.trim(), 'no subject first');
      if (WORN.test(comment)) report(line, comment.trim(), 'worn word');
      lastComment = line;
    }
    const title = /\b(?:test|it|describe)(?:\.\w+)*\(\s*(['"`])(.+?)\1/.exec(row)?.[2];
    if (!title || !file.startsWith('tests/')) continue;
    if (HEADLESS.test(title)) report(line, title, 'no subject first');
    if (title.split(/\s+/).length > LONGEST_TITLE) report(line, title, 'long title');
  }
  return found;
}

test('comments and test titles name their subject first, in words that a newcomer knows', () => {
  const files = globSync(['{src,sw,server,build,tests,bench,supabase}/**/*.{ts,tsx,mjs,js,sql,css}', '*.ts'], {
    exclude: ['**/node_modules'],
  });
  expect(files.length).toBeGreaterThan(500);
  expect(files.flatMap(readsOf)).toEqual([]);
  expect([...EXCEPTIONS.keys()].filter((text) => !used.has(text))).toEqual([]);
});

const VAGUE_NAME = /^(said|told|heard|written|kept|held|before|again|another|those)$/;

interface Node {
  readonly type: string;
  readonly [part: string]: unknown;
}

const isNode = (part: unknown): part is Node => typeof part === 'object' && part !== null && 'type' in part;

/** Returns the names of variables, parameters and functions, and of the fields of types and classes. */
function declaredNames(node: Node): readonly string[] {
  const own =
    node.type === 'VariableDeclarator' || /Function/.test(node.type)
      ? [node['id'], node['params']].flat().flatMap(boundNames)
      : /^(TSPropertySignature|TSMethodSignature|PropertyDefinition|MethodDefinition)$/.test(node.type)
        ? boundNames(node['key'])
        : [];
  return [...own, ...Object.values(node).flat().filter(isNode).flatMap(declaredNames)];
}

/** Returns the names that a pattern such as `{ id, ...others }` declares. */
function boundNames(pattern: unknown): readonly string[] {
  if (!isNode(pattern)) return [];
  if (pattern.type === 'Identifier') return [String(pattern['name'])];
  const { properties, elements, left, argument } = pattern;
  const values = [properties].flat().map((part) => (isNode(part) && part['value']) || part);
  return [values, elements, left, argument].flat().flatMap(boundNames);
}

test('declared names are nouns and verbs of the trade', () => {
  const files = globSync('{src,sw,server,build,supabase/functions}/**/*.{ts,tsx,mjs}', {
    exclude: ['**/node_modules'],
  });
  expect(files.length).toBeGreaterThan(300);
  const found = files.flatMap((file) =>
    declaredNames(parseSync(file, readFileSync(file, 'utf8')).program as unknown as Node)
      .filter((name) => VAGUE_NAME.test(name))
      .map((name) => `${file}: ${name}`),
  );
  expect(found).toEqual([]);
});
