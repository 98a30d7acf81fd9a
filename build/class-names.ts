import { globSync } from 'node:fs';
import path from 'node:path';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ROOT = path.dirname(import.meta.dirname);
const DESK = 'src/desk/**';
const sheetsOf = (pattern: string, exclude: string[]) => globSync(pattern, { cwd: ROOT, exclude }).toSorted();
// The desk's sheets come last, so that the landing page gets the shortest names. The files are sorted, because the file
// system's order can differ between builds.
const sheets = [...sheetsOf('src/**/*.module.css', [DESK]), ...sheetsOf(`${DESK}/*.module.css`, [])];
const namesIn = new Map<string, string[]>();

/**
 * Returns a short class name, because the document repeats each name often: letters for the style sheet, a number for
 * the class. Rendering and bundling run in one process, so both get the same names from `namesIn`.
 */
export function scopedName(name: string, file: string): string {
  const sheet = path.relative(ROOT, file.split('?')[0]!).replaceAll('\\', '/');
  // A sheet may be added while the development server runs.
  if (!sheets.includes(sheet)) sheets.push(sheet);
  const names = namesIn.get(sheet) ?? [];
  namesIn.set(sheet, names);
  if (!names.includes(name)) names.push(name);
  return `${letters(sheets.indexOf(sheet))}${names.indexOf(name)}`;
}

function letters(number: number): string {
  const rest = Math.floor(number / LETTERS.length);
  return (rest > 0 ? letters(rest - 1) : '') + LETTERS[number % LETTERS.length]!;
}
