import { readFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

/** Files and packages that modules need at run time. Imports of types do not count. */
interface Dependencies {
  readonly files: readonly string[];
  readonly packages: readonly string[];
}

const STATEMENT = /^(?:import|export)\b(?! type\b)[^'";]*? from '([^']+)'|^import '([^']+)'/gm;
const CALL = /\b(?:import|import\.meta\.resolve)\('([^']+)'\)|new URL\(\s*'([^']+)',\s*import\.meta\.url/g;

/**
 * Finds the files and packages that modules need: their imports, and files that they read by URL (SQL scripts, worker
 * threads, the folder of migrations).
 */
export async function dependenciesOf(entries: readonly string[]): Promise<Dependencies> {
  const files = new Set<string>();
  const packages = new Set<string>();
  const waiting = [...entries];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file)) continue;
    if ((await stat(file)).isDirectory()) {
      for (const name of await readdir(file)) files.add(path.join(file, name));
      continue;
    }
    files.add(file);
    if (!/\.m?ts$|\.mjs$/.test(file)) continue;
    for (const named of namesIn(readFileSync(file, 'utf8'))) {
      if (named.startsWith('node:')) continue;
      if (named.startsWith('.')) waiting.push(path.join(path.dirname(file), named));
      else if (/^[\w@]/.test(named)) packages.add(packageOf(named));
    }
  }
  return { files: [...files].toSorted(), packages: [...packages].toSorted() };
}

/** Finds the names of imported and read files in a module. In `new URL` the leading `./` may be missing. */
function* namesIn(source: string): Generator<string> {
  for (const [, from, alone] of source.matchAll(STATEMENT)) yield (from ?? alone)!;
  for (const [, imported, read] of source.matchAll(CALL))
    yield imported ?? (read!.startsWith('.') ? read! : `./${read}`);
}

const packageOf = (named: string) =>
  named
    .split('/')
    .slice(0, named.startsWith('@') ? 2 : 1)
    .join('/');
