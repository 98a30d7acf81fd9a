import { readdirSync } from 'node:fs';
import { BUDGETS, bytes, sum } from '../tests/integration/budgets.ts';
import { rounded, type Measured } from './results.ts';

export const title = 'Bytes: every file with its budget';

/** Wholes of what the others are parts of. */
const WHOLES = /^(everything|what the worker keeps)/;

const travels = (file: string) => !/\.(br|gz|png)$|_headers$/.test(file);

export async function measure(): Promise<Measured> {
  const counted = BUDGETS.map(({ what, most, files }) => ({ what, most, files: new Set(files()) }));
  const budgetOf = (file: string) =>
    counted.find(({ what, files }) => !WHOLES.test(what) && files.has(file))?.what ??
    counted.find(({ files }) => files.has(file))?.what;
  const files = readdirSync('dist', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && travels(entry.name))
    .map((entry) => `${entry.parentPath}/${entry.name}`);
  return {
    tables: [
      {
        title: 'Budgets, kB as brotli',
        note: 'What tests hold the site to. Nothing of another’s is beside them here: the first visit has that.',
        isNoRace: true,
        figures: {
          used: Object.fromEntries(counted.map(({ what, files: own }) => [what, rounded(sum(own) / 1000, 1)])),
          budget: Object.fromEntries(counted.map(({ what, most }) => [what, most / 1000])),
        },
      },
    ],
    weights: files.map((file) => ({
      // Without the hash of its content, which each build changes.
      file: file.replace(/^dist\//, '').replace(/-[\w-]{8}(?=\.(js|css)$)/, ''),
      bytes: bytes(file),
      budget: budgetOf(file) ?? 'none of its own',
    })),
  };
}
