import { globSync, readFileSync } from 'node:fs';
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
