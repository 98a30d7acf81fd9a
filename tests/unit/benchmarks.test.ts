import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inReadme, inRows, writeUp } from '../../bench/documents.ts';
import { median, newestResults, packagesOf, percentile, whatGotWorse, type Measured } from '../../bench/results.ts';

const newest = newestResults()!;
const files = [...writeUp(newest)];

test.each(files)('%s matches the newest benchmark results', (file, text) => {
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('the README shows the figures of the newest benchmark results', () => {
  const readme = readFileSync('README.md', 'utf8');
  expect(inReadme(readme, newest)).toBe(readme);
});

test('packages used by both the benchmarks and the site have the same version in both', () => {
  const own = packagesOf('.');
  const differs = ([name, version]: [string, string]) => (own[name] ?? version) !== version;
  expect(Object.entries(packagesOf('bench')).filter(differs)).toEqual([]);
});

const beside = (own: number, other: number): Measured => {
  const figures = { ours: { ms: own, score: own }, peer: { ms: other, score: other } };
  return { tables: [{ title: 'Race', figures, more: ['score'] }] };
};

test('the benchmark comparison reports only ratios that got worse by more than a tenth', () => {
  expect(whatGotWorse(beside(10, 10), beside(10, 10))).toEqual([]);
  // A slow machine doubles both times, so the ratio stays the same.
  expect(whatGotWorse(beside(10, 10), beside(20, 20))).toEqual([]);
  expect(whatGotWorse(beside(100, 100), beside(109, 100))).toEqual([]);
  expect(whatGotWorse(beside(100, 100), beside(120, 100))).toEqual(['Race: ms, beside peer: 1.20 instead of 1.00']);
  expect(whatGotWorse(beside(100, 100), beside(80, 100))).toEqual(['Race: score, beside peer: 1.25 instead of 1.00']);
});

test('a table of benchmark results prints the best figure of a row in bold', () => {
  const figures = { ours: { ms: 1234.5678, kB: 1 }, peer: { ms: 2000, kB: 1 }, other: { ms: 'no page' } };
  expect(inRows({ title: '', figures }).split('\n')).toEqual([
    '|  | ours | peer | other |',
    '| --- | ---: | ---: | ---: |',
    '| ms | **1,234.568** | 2,000 | no page |',
    '| kB | 1 | 1 | not measured |',
  ]);
});

test('a percentile is always a measured number, without interpolation', () => {
  expect([median([3, 1, 2]), median([4, 1, 2, 3])]).toEqual([2, 2]);
  expect([percentile([1, 2, 3, 4], 0.95), percentile([7], 0.5)]).toEqual([4, 7]);
});
