import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { useOwnSettings } from '../own-settings.ts';
import { scratchFolder } from '../scratch.ts';
import { drawsFrom } from '../chance.ts';
import { pgliteEngine } from '../integration/engines.ts';
import { openRunFolder } from '../run-folder.ts';
import { copyWorkingTree, listed } from '../working-copy.ts';
import { AREAS, type Area, type Stage } from './areas.ts';
import { mutateScript, mutateSql, type Mutation } from './mutations.ts';

// Mutation run: changes one place of the product at a time and runs the tests that reach the place. A change has survived if
// all of them pass. Exits with 1 if a survivor has no reason in tests/mutants/survivors.json.

const USAGE = `npm run mutants -- [--n 200] [--seed 1] [--area phone|server|sql] [--lanes 2] [--stages 1]`;

interface Mutant extends Mutation {
  readonly area: Area;
  readonly file: string;
  readonly source: string;
}

interface Verdict {
  readonly mutant: Mutant;
  /** Stage whose tests turned red; undefined if the mutant survived all of them. */
  readonly killedBy: string | undefined;
}

interface Reason {
  readonly file: string;
  readonly line: string;
  readonly change: string;
  readonly reason: string;
}

const { values } = readArguments();
const draws = drawsFrom(Number(values.seed));
useOwnSettings();

const areas = AREAS.filter(({ name }) => !values.area || name === values.area);
const closeRunFolder = await openRunFolder();
const mutants = (
  await Promise.all(areas.map((area) => drawMutants(area, Math.round(Number(values.n) * share(area)))))
).flat();
const waiting = mutants[Symbol.iterator]();
const verdicts: Verdict[] = [];
const folder = mkdtempSync(path.join(scratchFolder(), 'aeropuente-mutants-'));
try {
  await Promise.all(Array.from({ length: Number(values.lanes) }, (_, index) => work(openLane(index))));
} finally {
  await rm(folder, { recursive: true, force: true });
}
await closeRunFolder();
await report();

function readArguments() {
  try {
    return parseArgs({
      options: {
        n: { type: 'string', default: '200' },
        seed: { type: 'string', default: '1' },
        area: { type: 'string' },
        lanes: { type: 'string', default: '2' },
        stages: { type: 'string', default: '9' },
      },
    });
  } catch (error) {
    console.error(`${(error as Error).message}\n${USAGE}`);
    process.exit(2);
  }
}

function share({ weight }: Area): number {
  return weight / areas.reduce((sum, area) => sum + area.weight, 0);
}

/** Draws the same mutants for the same seed, from each area separately. */
async function drawMutants(area: Area, wanted: number): Promise<Mutant[]> {
  const files = listed('ls-files', ...area.sources).filter((file) => /\.(ts|sql)$/.test(file));
  const all = (await Promise.all(files.map((file) => mutantsOf(area, file)))).flat();
  const drawn: Mutant[] = [];
  while (drawn.length < wanted && all.length > 0) {
    const [mutant] = all.splice(draws.whole(all.length), 1);
    // A script that PostgreSQL refuses turns every test red and proves nothing.
    if (!mutant!.file.endsWith('.sql') || (await canMigrate(mutated(mutant!)))) drawn.push(mutant!);
  }
  return drawn;
}

async function canMigrate(script: string): Promise<boolean> {
  const migrations = await mkdtemp(path.join(scratchFolder(), 'aeropuente-migration-'));
  try {
    await writeFile(path.join(migrations, '20260101000000_mutant.sql'), script);
    await (await pgliteEngine(migrations)).close();
    return true;
  } catch {
    return false;
  } finally {
    await rm(migrations, { recursive: true });
  }
}

async function mutantsOf(area: Area, file: string): Promise<Mutant[]> {
  const source = await readFile(file, 'utf8');
  const mutations = file.endsWith('.sql') ? mutateSql(source) : mutateScript(file, source);
  return mutations.map((mutation) => ({ ...mutation, area, file, source }));
}

function mutated({ source, start, end, replacement }: Mutant): string {
  return source.slice(0, start) + replacement + source.slice(end);
}

/** A copy of the working tree, so that two mutants can be tried at once. */
function openLane(index: number): string {
  const lane = path.join(folder, String(index));
  mkdirSync(lane);
  copyWorkingTree(lane);
  return lane;
}

async function work(lane: string): Promise<void> {
  for (const mutant of waiting) {
    const file = path.join(lane, mutant.file);
    await writeFile(file, mutated(mutant));
    const killedBy = await findKiller(lane, mutant);
    await writeFile(file, mutant.source);
    verdicts.push({ mutant, killedBy });
    console.log(
      `${verdicts.length}/${mutants.length} ${killedBy ? `killed by ${killedBy}` : 'SURVIVED'}: ${describe(mutant)}`,
    );
  }
}

async function findKiller(lane: string, { area, file }: Mutant): Promise<string | undefined> {
  for (const stage of area.stages(file).slice(0, Number(values.stages)))
    if (!(await passes(lane, stage))) return stage.name;
  return undefined;
}

async function passes(lane: string, { command, patience }: Stage): Promise<boolean> {
  const run = spawn(process.execPath, command, { cwd: lane, stdio: 'ignore', detached: true });
  const timer = setTimeout(() => process.kill(-run.pid!, 'SIGKILL'), patience);
  const [code] = (await once(run, 'exit')) as [number | null];
  clearTimeout(timer);
  return code === 0;
}

function describe({ file, source, start, end, replacement }: Mutant): string {
  const line = source.slice(0, start).split('\n').length;
  return `${file}:${line} ${oneLine(source.slice(start, end))} → ${oneLine(replacement)}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 80);
}

function reasonOf({ file, source, start, end, replacement }: Mutant, reasons: readonly Reason[]): string | undefined {
  const lineStart = source.lastIndexOf('\n', start) + 1;
  const line = source.slice(lineStart).split('\n', 1)[0]!.trim();
  const change = `${oneLine(source.slice(start, end))} → ${oneLine(replacement)}`;
  return reasons.find((known) => known.file === file && known.line === line && known.change === change)?.reason;
}

async function report(): Promise<void> {
  const reasons = JSON.parse(await readFile('tests/mutants/survivors.json', 'utf8')) as Reason[];
  let unexplained = 0;
  for (const area of areas) {
    const own = verdicts.filter(({ mutant }) => mutant.area === area);
    const survivors = own.filter(({ killedBy }) => !killedBy);
    const byStage = area
      .stages('')
      .map(({ name }) => `${name} ${own.filter(({ killedBy }) => killedBy === name).length}`);
    const killed = own.length - survivors.length;
    console.log(
      `\n${area.name}: ${killed} of ${own.length} killed (${percent(killed, own.length)} %): ${byStage.join(', ')}`,
    );
    for (const { mutant } of survivors) {
      const reason = reasonOf(mutant, reasons);
      if (!reason) unexplained += 1;
      console.log(`  ${describe(mutant)}: ${reason ?? 'NO REASON GIVEN'}`);
    }
  }
  if (unexplained > 0) process.exitCode = 1;
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 100 : Math.round((100 * part) / whole);
}
