import { globSync } from 'node:fs';
import path from 'node:path';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const sheets = globSync('src/**/*.module.css', { cwd: path.dirname(import.meta.dirname) }).toSorted();

/**
 * A letter for the sheet and a number for the name in it: the document carries each of them many times.
 * It depends on the sources alone, so the pass that renders and the pass that ships scripts agree.
 */
export function scopedName(name: string, file: string, css: string): string {
  const names = [...new Set([...css.matchAll(/(?:\.|@keyframes )([a-z][\w-]*)/gi)].map(([, found]) => found!))];
  return `${sheetLetter(file)}${names.indexOf(name)}`;
}

export function sheetLetter(file: string): string {
  const sheet = path.relative(path.dirname(import.meta.dirname), file.split('?')[0]!).replaceAll('\\', '/');
  // One that was added while the dev server runs.
  if (!sheets.includes(sheet)) sheets.push(sheet);
  return letters(sheets.indexOf(sheet));
}

/** An island that wakes with the others shows nothing before, and brings its own sheets. They stand at the end. */
const EMPTY = /<div data-island="\w+" data-when="others">.*$/s;

/** The letters of the sheets of which a document shows something. */
export function sheetsIn(markup: string): Set<string> {
  const names = [...markup.replace(EMPTY, '').matchAll(/class="([^"]*)"/g)].flatMap(([, list]) => list!.split(' '));
  return new Set(names.flatMap((name) => /^([A-Za-z]{1,2})\d+$/.exec(name)?.[1] ?? []));
}

/** Without the rules of sheets of which nothing is shown. */
export function stylesFor(markup: string, styles: string): string {
  return withoutUnused(styles, sheetsIn(markup));
}

function withoutUnused(styles: string, shown: ReadonlySet<string>): string {
  const isUsed = (selector: string) =>
    [...selector.matchAll(/\.([A-Za-z]{1,2})\d+(?![\w-])/g)].every(([, letter]) => shown.has(letter!));
  return outermostRules(styles)
    .map((rule) => {
      const at = rule.indexOf('{');
      const [head, body] = [rule.slice(0, at), rule.slice(at + 1, -1)];
      if (/^@(media|supports)/.test(head)) return [head, withoutUnused(body, shown)] as const;
      const selectors = head.startsWith('@')
        ? head
        : head
            .split(/,(?![^(]*\))/)
            .filter(isUsed)
            .join(',');
      return [selectors, selectors && body] as const;
    })
    .map(([head, body]) => (body ? `${head}{${body}}` : ''))
    .join('');
}

function outermostRules(styles: string): string[] {
  const rules: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: brace, index } of styles.matchAll(/[{}]/g)) {
    depth += brace === '{' ? 1 : -1;
    if (depth > 0) continue;
    rules.push(styles.slice(start, index + 1));
    start = index + 1;
  }
  return rules;
}

function letters(number: number): string {
  const rest = Math.floor(number / LETTERS.length);
  return (rest > 0 ? letters(rest - 1) : '') + LETTERS[number % LETTERS.length]!;
}
