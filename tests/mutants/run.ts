import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { link, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
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

// Changes the product in a single place (a mutant) and runs the tests that reach this place. A mutant survives if all
// these tests pass. The tests first run without a change, because a broken test would kill every mutant. Exits with 1
// if a survivor has no reason in tests/mutants/survivors.json.

const USAGE = `npm run mutants -- [--n 200] [--seed 1] [--area phone|server|sql] [--lanes 2] [--stages 1]`;

/** Environment variable with the folder that all processes of a run share (tests/run-folder.ts). */
const RUN_FOLDER = 'TESTS_RUN_FOLDER';

interface Mutant extends Mutation {
  readonly area: Area;
  readonly file: string;
  /** File by which the tests are chosen. For a migration: the file in `supabase/schemas` with the mutated statement. */
  readonly subject: string;
  readonly source: string;
}

interface Verdict {
  readonly mutant: Mutant;
  /** Stage whose tests failed; undefined for a survivor. */
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
  const lanes = Array.from({ length: Number(values.lanes) }, (_, index) => openLane(index));
  await proveUnchanged(lanes[0]!);
  await Promise.all(lanes.map(work));
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

/** Chooses mutants of an area at random, by the seed. */
async function drawMutants(area: Area, wanted: number): Promise<Mutant[]> {
  const files = listed('ls-files', ...area.sources).filter((file) => /\.(ts|sql)$/.test(file));
  const all = (await Promise.all(files.map((file) => mutantsOf(area, file)))).flat();
  const drawn: Mutant[] = [];
  while (drawn.length < wanted && all.length > 0) {
    const [mutant] = all.splice(draws.whole(all.length), 1);
    // An SQL script that PostgreSQL rejects would fail every test, and so prove nothing.
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
  if (!file.endsWith('.sql'))
    return mutateScript(file, source).map((mutation) => ({ ...mutation, area, file, subject: file, source }));
  const paths = listed('ls-files', 'supabase/schemas');
  const schemas = await Promise.all(paths.map(async (schema) => [schema, await readFile(schema, 'utf8')] as const));
  const subjectAt = (at: number) =>
    schemas.find(([, text]) => text.includes(source.slice(Math.max(0, at - 100), at + 100)));
  return mutateSql(source).map((mutation) => {
    const subject = subjectAt(mutation.start)?.[0] ?? file;
    return { ...mutation, area, file, subject, source };
  });
}

function mutated({ source, start, end, replacement }: Mutant): string {
  return source.slice(0, start) + replacement + source.slice(end);
}

/** Copies the working tree, so that several mutants can run in parallel. */
function openLane(index: number): string {
  const lane = path.join(folder, String(index));
  mkdirSync(lane);
  copyWorkingTree(lane);
  return lane;
}

/** Runs the tests without a mutant. This also creates the databases that all runs share. */
async function proveUnchanged(lane: string): Promise<void> {
  for (const area of areas) {
    const subjects = mutants.filter((mutant) => mutant.area === area).map(({ subject }) => subject);
    for (const stage of stagesOf(area, [...new Set(subjects)]))
      if (subjects.length > 0 && !(await passes(lane, stage)))
        throw new Error(`Tests fail without a mutation: ${area.name}, ${stage.name}: node ${stage.command.join(' ')}`);
  }
}

function stagesOf(area: Area, subjects: readonly string[]): readonly Stage[] {
  return area.stages(subjects).slice(0, Number(values.stages));
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

async function findKiller(lane: string, { area, subject }: Mutant): Promise<string | undefined> {
  const databases = area.name === 'sql' ? await folderWithoutMigrations(lane) : undefined;
  for (const stage of stagesOf(area, [subject])) if (!(await passes(lane, stage, databases))) return stage.name;
  return undefined;
}

/**
 * Makes a run folder for a mutated migration. It shares only the empty database, because the other databases were made
 * with the original migration.
 */
async function folderWithoutMigrations(lane: string): Promise<string> {
  const own = `${lane}.run`;
  await rm(own, { recursive: true, force: true });
  await mkdir(own, { mode: 0o711 });
  await link(path.join(process.env[RUN_FOLDER]!, 'data-new.tar'), path.join(own, 'data-new.tar'));
  return own;
}

async function passes(
  lane: string,
  { command, patience }: Stage,
  databases = process.env[RUN_FOLDER]!,
): Promise<boolean> {
  const env = { ...process.env, [RUN_FOLDER]: databases };
  const run = spawn(process.execPath, command, { cwd: lane, env, stdio: 'ignore', detached: true });
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

function reasonOf(
  { subject, source, start, end, replacement }: Mutant,
  reasons: readonly Reason[],
): string | undefined {
  const lineStart = source.lastIndexOf('\n', start) + 1;
  const line = source.slice(lineStart).split('\n', 1)[0]!.trim();
  const change = `${oneLine(source.slice(start, end))} → ${oneLine(replacement)}`;
  return reasons.find((known) => known.file === subject && known.line === line && known.change === change)?.reason;
}

async function report(): Promise<void> {
  const reasons = JSON.parse(await readFile('tests/mutants/survivors.json', 'utf8')) as Reason[];
  let unexplained = 0;
  for (const area of areas) {
    const own = verdicts.filter(({ mutant }) => mutant.area === area);
    const survivors = own.filter(({ killedBy }) => !killedBy);
    const byStage = Object.entries(Object.groupBy(own, ({ killedBy }) => killedBy ?? 'survived')).map(
      ([stage, verdictsOfStage]) => `${stage} ${verdictsOfStage!.length}`,
    );
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
