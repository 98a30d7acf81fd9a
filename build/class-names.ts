import { globSync } from 'node:fs';
import path from 'node:path';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ROOT = path.dirname(import.meta.dirname);
const DESK = 'src/desk/**';
const sheetsOf = (pattern: string, exclude: string[]) => globSync(pattern, { cwd: ROOT, exclude }).toSorted();
// The desk's sheets come last, so that they do not lengthen the names of the page's. Sorted, because the order of
// reading would otherwise differ between builds.
const sheets = [...sheetsOf('src/**/*.module.css', [DESK]), ...sheetsOf(`${DESK}/*.module.css`, [])];
const namesIn = new Map<string, string[]>();

/**
 * Short class name: letters for the sheet, number for the name, because the document repeats it often. Rendering and
 * bundling run in one process and share the map.
 */
export function scopedName(name: string, file: string): string {
  const sheet = path.relative(ROOT, file.split('?')[0]!).replaceAll('\\', '/');
  // A sheet that was added while the dev server runs.
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
