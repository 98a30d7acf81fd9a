import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { minify, transformWithOxc } from 'vite';

const FILE = path.resolve(import.meta.dirname, '../src/landing/before-paint.ts');

/** Compiles and minifies the document's inline script, because its size delays the first paint. */
export async function firstScript(loader = '', form = ''): Promise<string> {
  const define = { LOADER: JSON.stringify(loader), FORM: JSON.stringify(form) };
  const { code } = await transformWithOxc(await readFile(FILE, 'utf8'), FILE, { define, sourcemap: false });
  return (await minify(FILE, code)).code;
}
