import { readdir } from 'node:fs/promises';
import { buildIfStale } from '../../build/fresh.ts';
import openRunFolder from '../run-folder.ts';

// `npm run bench`: every *.bench.ts here, one after the other; `npm run bench -- lighthouse` only those named.
// Figures to be read: a slow machine is no failure.

/** Figures by row and column. */
export type Figures = Record<string, Record<string, string | number>>;

interface Bench {
  readonly title: string;
  readonly measure: () => Promise<Figures>;
}

await buildIfStale();
const closeRunFolder = await openRunFolder();
const wanted = process.argv.slice(2);
const files = (await readdir(import.meta.dirname)).filter((file) => file.endsWith('.bench.ts')).toSorted();
for (const file of files) {
  if (wanted.length > 0 && !wanted.includes(file.replace('.bench.ts', ''))) continue;
  const { title, measure } = (await import(`./${file}`)) as Bench;
  console.log(`\n${title}`);
  console.table(await measure());
}
await closeRunFolder();
