import { globSync } from 'node:fs';
import path from 'node:path';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const sheets = globSync('src/**/*.module.css', { cwd: path.dirname(import.meta.dirname) }).toSorted();

/**
 * A letter for the sheet and a number for the name in it: the document carries each of them many times.
 * It depends on the sources alone, so the pass that renders and the pass that ships scripts agree.
 */
export function scopedName(name: string, file: string, css: string): string {
  const sheet = path.relative(path.dirname(import.meta.dirname), file.split('?')[0]!).replaceAll('\\', '/');
  // One that was added while the dev server runs.
  if (!sheets.includes(sheet)) sheets.push(sheet);
  const names = [...new Set([...css.matchAll(/(?:\.|@keyframes )([a-z][\w-]*)/gi)].map(([, found]) => found!))];
  return `${letters(sheets.indexOf(sheet))}${names.indexOf(name)}`;
}

function letters(number: number): string {
  const rest = Math.floor(number / LETTERS.length);
  return (rest > 0 ? letters(rest - 1) : '') + LETTERS[number % LETTERS.length]!;
}
