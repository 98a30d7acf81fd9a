import { readdir, readFile, mkdir, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual, parseArgs, styleText } from 'node:util';
import { buildIfStale } from '../build/build-if-stale.ts';
import { useOwnSettings } from '../tests/own-settings.ts';
import { openRunFolder } from '../tests/run-folder.ts';
import { inReadme, inRows, writeUp } from './documents.ts';
import {
  describeMachine,
  describeVersions,
  measuresSomething,
  NEWEST,
  newestResults,
  RESULTS,
  rounded,
  whatGotWorse,
  type Bench,
  type Measured,
  type Part,
  type Results,
} from './results.ts';

// `npm run bench` runs every *.bench.ts here, one after the other; `npm run bench -- queues drain` runs only these two.
// `--smoke` takes seconds and writes nothing; it fails if a benchmark measures nothing.

const LONGEST = 15 * 60_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  // `--write` only writes the documents again, from the newest results.
  options: { smoke: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
});
const ENDING = '.bench.ts';
const all = (await readdir(import.meta.dirname)).filter((file) => file.endsWith(ENDING)).toSorted();
const names = all.map((file) => file.slice(0, -ENDING.length));
const unknown = positionals.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(
    `There is no part ${unknown.join(', ')}. Usage: npm run bench -- [--smoke | --write] [${names.join('|')}]…`,
  );
  process.exit(2);
}

if (values.write) {
  await writeDocuments(newestResults()!);
  process.exit();
}

useOwnSettings();
await buildIfStale();
const closeRunFolder = await openRunFolder();
const [machine, versions] = [describeMachine(), await describeVersions()];
const earlier = newestResults();

for (const name of positionals.length > 0 ? positionals : names) {
  const { title, measure } = (await import(`./${name}${ENDING}`)) as Bench;
  console.log(`\n${title}`);
  const [loadBefore, began] = [loadavg()[0]!, performance.now()];
  const measured = await within(LONGEST, measure(values.smoke ? 'smoke' : 'whole')).catch(notMeasured);
  const isFailed = !measuresSomething(measured);
  for (const table of measured.tables) console.log(`${table.title}\n${table.note ?? ''}\n${inRows(table)}`);
  if (values.smoke && isFailed) process.exitCode = 1;
  const last = newestResults();
  // A failed benchmark does not replace its earlier result on the same machine.
  if (values.smoke || (isFailed && isComparable(last) && last.parts[name])) continue;
  const worse = earlier?.parts[name] ? whatGotWorse(earlier.parts[name], measured) : [];
  for (const line of worse) console.log(styleText('red', `Worse: ${line}`));
  const load = [rounded(loadBefore, 1), rounded(loadavg()[0]!, 1)] as const;
  const seconds = rounded((performance.now() - began) / 1000);
  // Results are saved after each part, so that a stopped run keeps them.
  await save(name, { title, date: new Date().toISOString().slice(0, 16), seconds, load, ...measured });
}
await closeRunFolder();
// A benchmark that exceeded its time limit may still keep this process alive.
process.exit();

async function within(longest: number, measuring: Promise<Measured>): Promise<Measured> {
  const late = wait(longest, undefined, { ref: false }).then(() => {
    throw new Error(`it took longer than ${longest / 60_000} minutes`);
  });
  return Promise.race([measuring, late]);
}

function notMeasured(error: unknown): Measured {
  console.error(error);
  return { tables: [{ title: 'Not measured on this machine', note: String(error), figures: {} }] };
}

async function save(name: string, part: Part): Promise<void> {
  // The file is read again, because a parallel run may have written results. Results of other hardware or programs are
  // dropped, because they cannot be compared with these.
  const last = newestResults();
  if (last && !isComparable(last))
    console.log('Earlier results are dropped: the machine, or the release of a program, has changed.');
  const results: Results = { machine, versions, parts: { ...(isComparable(last) && last.parts), [name]: part } };
  await mkdir(RESULTS, { recursive: true });
  await writeFile(NEWEST, `${JSON.stringify(results, undefined, 1)}\n`);
  await writeDocuments(results);
}

/**
 * Results are comparable if they come from the same hardware and the same versions of the programs. The system's
 * version, patch versions, and added or removed packages are ignored, because they hardly change the figures.
 */
function isComparable(last: Results | undefined): last is Results {
  if (!last) return false;
  const isSameMachine = isDeepStrictEqual({ ...last.machine, system: '' }, { ...machine, system: '' });
  return (
    isSameMachine &&
    Object.entries(versions).every(
      ([program, version]) => withoutPatch(last.versions[program] ?? version) === withoutPatch(version),
    )
  );
}

function withoutPatch(version: string): string {
  return version.replace(/\.\d+$/, '');
}

async function writeDocuments(results: Results): Promise<void> {
  for (const [file, text] of writeUp(results)) {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  await writeFile('README.md', inReadme(await readFile('README.md', 'utf8'), results));
}
