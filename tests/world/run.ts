import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { useOwnSettings } from '../own-settings.ts';
import { FAULTS, QUICK } from './faults.ts';
import { planOf } from './plan.ts';
import { shrink, signOf } from './shrink.ts';
import { live, type Done, type Task } from './world.ts';

// Simulates weeks from seeds: `npm run world -- --minutes 60`, or `-- --seed 7 --trace`, or `-- --faults`.

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    from: { type: 'string' },
    seed: { type: 'string' },
    phones: { type: 'string' },
    events: { type: 'string' },
    fault: { type: 'string' },
    trace: { type: 'boolean', default: false },
    faults: { type: 'boolean', default: false },
    few: { type: 'boolean', default: false },
  },
});

const LANES = 2;
/** Number of simulated weeks within which a deliberate fault must be detected. */
const MOST_WORLDS = 60;

useOwnSettings();
const numbers = (list: string | undefined) => list?.split(',').map(Number);

if (!isMainThread)
  parentPort!.on('message', (task: Task) => void live(task).then((done) => parentPort!.postMessage(done)));
else if (options.seed !== undefined) await one(Number(options.seed));
else if (options.faults) await findFaults(FAULTS.map(({ name }) => name));
else {
  if (options.few) await findFaults(QUICK);
  await many(Number(options.minutes));
}

async function one(seed: number): Promise<void> {
  const part = { phones: numbers(options.phones), events: numbers(options.events) };
  const { trace, failures, steps } = await live({ seed, ...part, fault: options.fault, traced: options.trace });
  for (const line of trace) console.log(line);
  console.log(`seed ${seed}: ${steps} steps; ${failures.length === 0 ? 'no failures' : failures.join('; ')}`);
  if (failures.length > 0) process.exitCode = 1;
}

type Run = (task: Task) => Promise<Done>;

/** Runs the work in several threads. Each thread simulates one week at a time. */
async function inLanes(work: (run: Run) => Promise<void>): Promise<void> {
  const lane = async () => {
    const worker = new Worker(new URL(import.meta.url), { resourceLimits: { maxYoungGenerationSizeMb: 48 } });
    const failed = new Promise<never>((_, reject) => worker.once('error', reject));
    const run: Run = (task) => {
      const done = new Promise<Done>((resolve) => worker.once('message', resolve));
      worker.postMessage(task);
      return Promise.race([done, failed]);
    };
    await work(run).finally(() => worker.terminate());
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

/** Returns the first seed. `--few` derives the seed from the commit, so that everybody tests the same weeks. */
function firstSeed(): number {
  if (options.from !== undefined) return Number(options.from);
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' });
  if (options.few && status === 0) return Number.parseInt(stdout.slice(0, 7), 16);
  return Math.floor(Math.random() * 2 ** 31);
}

/** Simulates with new seeds until the time is over or a simulation fails. */
async function many(minutes: number): Promise<void> {
  const first = firstSeed();
  const began = performance.now();
  const totals = { next: first, phones: 0, receipts: 0 };
  let failed: Done | undefined;
  await inLanes(async (run) => {
    while (!failed && performance.now() - began < minutes * 60_000) {
      const done = await run({ seed: totals.next++ });
      totals.phones += done.phones;
      totals.receipts += done.counts.receipts;
      if (done.failures.length === 0) continue;
      if (!failed) await explain((failed = done), run);
    }
  });
  const { next, phones, receipts } = totals;
  const minute = phones / ((performance.now() - began) / 60_000);
  console.log(
    `${next - first} worlds from ${first} on: ${phones} phone-weeks, ${receipts} receipts, ${minute.toFixed(0)} phone-weeks a minute`,
  );
}

/** Removes events from a failing plan while it still fails, and prints the remaining events. */
async function explain({ task, failures }: Done, run: Run): Promise<void> {
  process.exitCode = 1;
  console.log(`Seed ${task.seed} failed: ${failures.join('; ')}`);
  const sign = signOf(failures);
  const plan = planOf(task.seed);
  const least = await shrink(
    { phones: plan.phones, events: plan.events.map((_, at) => at) },
    async (part) => signOf((await run({ ...task, ...part })).failures) === sign,
  );
  const { trace } = await run({ ...task, ...least, traced: true });
  const parameters = `--seed ${task.seed} --phones ${least.phones.join()} --events ${least.events.join()} --trace`;
  console.log(`${trace.slice(-60).join('\n')}\nFull trace: npm run world -- ${parameters}`);
}

/** Checks that the simulation detects each deliberate fault, and prints how long this took. */
async function findFaults(names: readonly string[]): Promise<void> {
  const left = [...names];
  let missed = 0;
  await inLanes(async (run) => {
    for (let fault = left.shift(); fault; fault = left.shift()) {
      const began = performance.now();
      let found: Done | undefined;
      for (let seed = 1; !found && seed <= MOST_WORLDS; seed += 1) {
        const done = await run({ seed, fault });
        if (done.failures.length > 0) found = done;
      }
      const seconds = ((performance.now() - began) / 1000).toFixed(1).padStart(5);
      if (!found) missed += 1;
      console.log(`${seconds} s  ${fault}: ${found ? `seed ${found.task.seed}, ${found.failures[0]}` : 'NOT FOUND'}`);
    }
  });
  console.log(`${names.length - missed} of ${names.length} faults were found`);
  if (missed > 0) process.exitCode = 1;
}
