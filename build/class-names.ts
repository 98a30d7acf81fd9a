import { globSync } from 'node:fs';
import path from 'node:path';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ROOT = path.dirname(import.meta.dirname);
const DESK = 'src/desk/**';
const sheetsOf = (pattern: string, exclude: string[]) => globSync(pattern, { cwd: ROOT, exclude }).toSorted();
// The desk's come after those of the page, whose letters its sheets must not make longer; in their order too, or two
// builds of the same sources would differ by which sheet was read first.
const sheets = [...sheetsOf('src/**/*.module.css', [DESK]), ...sheetsOf(`${DESK}/*.module.css`, [])];
const namesIn = new Map<string, string[]>();

/**
 * A letter for the sheet and a number for the name in it: the document carries each of them many times. The pass that
 * renders the page and the one that makes its scripts run in one process, so both get what was given first.
 */
export function scopedName(name: string, file: string): string {
  const sheet = path.relative(ROOT, file.split('?')[0]!).replaceAll('\\', '/');
  // One that was added while the dev server runs.
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
