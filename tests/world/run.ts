import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { useOwnSettings } from '../own-settings.ts';
import { FAULTS, QUICK, SELDOM, type Fault } from './faults.ts';
import { planOf } from './plan.ts';
import { shrink, signOf } from './shrink.ts';
import { liveOne, type Done } from './thread.ts';
import { THREADS, Threads } from './threads.ts';

// The whole world in one seed: `npm run world -- --minutes 60`, or `-- --seed 7 --trace`, or `-- --faults`.

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    from: { type: 'string' },
    seed: { type: 'string' },
    phones: { type: 'string' },
    events: { type: 'string' },
    trace: { type: 'boolean', default: false },
    faults: { type: 'boolean', default: false },
    few: { type: 'boolean', default: false },
    seldom: { type: 'boolean', default: false },
  },
});

/** A fault that is not found by then counts as not found. */
const LONGEST = 60_000;

useOwnSettings();
const numbers = (list: string | undefined) => list?.split(',').map(Number);

if (options.seed !== undefined) await one(Number(options.seed));
else if (options.faults) await table(FAULTS);
else if (options.seldom) await table(SELDOM, 20 * LONGEST);
else {
  if (options.few) await table(FAULTS.filter(({ name }) => QUICK.includes(name)));
  await many(Number(options.minutes));
}

/** Those that ever failed. */
function seedsOfNote(): number[] {
  return (readFileSync(new URL('seeds.txt', import.meta.url), 'utf8').match(/^\d+/gm) ?? []).map(Number);
}

async function one(seed: number): Promise<void> {
  const phones = numbers(options.phones);
  const events = numbers(options.events);
  const { trace, failures, steps } = await liveOne({ seed, phones, events, traced: options.trace });
  for (const line of trace) console.log(line);
  console.log(`seed ${seed}: ${steps} steps; ${failures.length === 0 ? 'all is well' : failures.join('; ')}`);
  if (failures.length > 0) process.exitCode = 1;
}

/** `npm test` begins at a number of the commit's own: whoever tests the same commit sees the same. All else is by chance. */
function firstSeed(): number {
  if (options.from !== undefined) return Number(options.from);
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' });
  if (options.few && status === 0) return Number.parseInt(stdout.slice(0, 7), 16);
  return Math.floor(Math.random() * 2 ** 31);
}

/** Every seed that ever failed, and then new ones until the time is over. */
async function many(minutes: number): Promise<void> {
  const seeds = seedsOfNote();
  const known = seeds.length;
  const first = firstSeed();
  const threads = new Threads();
  const began = performance.now();
  let next = first;
  let lived = 0;
  let phones = 0;
  let kept = 0;
  let failed: Done | undefined;
  const lane = async () => {
    while (!failed) {
      const isOver = performance.now() - began > minutes * 60_000;
      const seed = seeds.shift() ?? (isOver ? undefined : next++);
      if (seed === undefined) return;
      const done = await threads.run({ seed });
      lived += 1;
      phones += done.phones;
      kept += done.counts.kept;
      if (done.failures.length > 0) failed ??= done;
    }
  };
  await Promise.all(Array.from({ length: THREADS }, lane));
  const took = (performance.now() - began) / 60_000;
  console.log(
    `${lived} worlds, ${known} of seeds that failed once and ${next - first} from ${first} on: ${phones} phone-weeks, ${kept} quotes kept, ${(phones / took).toFixed(0)} phone-weeks a minute`,
  );
  if (failed) await explain(failed, threads);
  await threads.end();
}

/** The shortest way to the same failure that is found in a while. */
async function explain({ task, failures }: Done, threads: Threads): Promise<void> {
  process.exitCode = 1;
  console.log(`Seed ${task.seed} failed: ${failures.join('; ')}`);
  const sign = signOf(failures);
  const plan = planOf(task.seed);
  const least = await shrink(
    { phones: plan.phones, events: plan.events.map((_, at) => at) },
    async (part) => signOf((await threads.run({ ...task, ...part })).failures) === sign,
  );
  const again = `--seed ${task.seed} --phones ${least.phones.join()} --events ${least.events.join()} --trace`;
  const { trace } = await threads.run({ ...task, ...least, traced: true });
  console.log(`${trace.slice(-60).join('\n')}\nAll of it: npm run world -- ${again}`);
  console.log(`As it was: npm run world -- --seed ${task.seed} --trace. It belongs into tests/world/seeds.txt.`);
}

/** Each fault, and how long it took to be found. */
async function table(faults: readonly Fault[], longest = LONGEST): Promise<void> {
  const threads = new Threads();
  const left = [...faults];
  let missed = 0;
  const lane = async () => {
    for (let fault = left.shift(); fault; fault = left.shift()) {
      const began = performance.now();
      const { name, patches, server } = fault;
      let found: Done | undefined;
      const seeds = seedsOfNote();
      for (let next = 1; !found && performance.now() - began < longest;) {
        const seed = seeds.shift() ?? next++;
        const done = await threads.run({ seed, patches, server });
        if (done.failures.length > 0) found = done;
      }
      const seconds = ((performance.now() - began) / 1000).toFixed(1).padStart(5);
      if (!found) missed += 1;
      console.log(`${seconds} s  ${name}: ${found ? `seed ${found.task.seed}, ${found.failures[0]}` : 'NOT FOUND'}`);
    }
  };
  await Promise.all(Array.from({ length: THREADS }, lane));
  await threads.end();
  console.log(`${faults.length - missed} of ${faults.length} faults that were put in were found`);
  if (missed > 0) process.exitCode = 1;
}
