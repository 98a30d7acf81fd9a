import { chanceFrom } from '../chance.ts';
import { buildCode, type Code } from './code.ts';
import { Disks } from './disk.ts';
import { FAULTS, NO_FAULT, type Fault } from './faults.ts';
import { Person } from './person.ts';
import { LENGTH, partOf, planOf, type Plan } from './plan.ts';
import { Server } from './server.ts';
import { BEGIN, HOUR, MINUTE, SECOND, Time } from './time.ts';
import { Witness } from './witness.ts';

/**
 * Simulation to run: the plan that follows from `seed`. After a failure, `phones` and `events` select parts of this
 * plan, to find the smallest part that still fails.
 */
export interface Task {
  readonly seed: number;
  readonly phones?: readonly number[] | undefined;
  readonly events?: readonly number[] | undefined;
  readonly traced?: boolean;
  /** Name of a fault in faults.ts. */
  readonly fault?: string | undefined;
}

export interface Done {
  readonly task: Task;
  readonly phones: number;
  readonly failures: readonly string[];
  readonly trace: readonly string[];
  readonly steps: number;
  readonly counts: Witness['counts'];
}

/** Milliseconds within which all quotes and replies must be sent after all faults have ended. */
const PATIENCE = 3 * HOUR;

let built: Promise<Code> | undefined;

/** Simulates a plan until all quotes and replies are sent. */
export async function live(task: Task): Promise<Done> {
  const fault = FAULTS.find(({ name }) => name === task.fault);
  if (task.fault !== undefined && !fault) throw new Error(`There is no fault '${task.fault}'.`);
  const plan = partOf(planOf(task.seed), task);
  const world = new World(plan, await (built ??= buildCode()), task.traced ?? false, fault ?? NO_FAULT);
  await world.live();
  const { time, trace, witness } = world;
  const { failures, counts } = witness;
  return { task, phones: plan.phones.length, failures, trace, steps: time.steps, counts };
}

class World {
  readonly time = new Time();
  readonly trace: string[] = [];
  readonly witness: Witness;
  readonly #server: Server;
  readonly #people: ReadonlyMap<number, Person>;
  #isOver = false;

  constructor({ seed, phones, events }: Plan, code: Code, traced: boolean, fault: Fault) {
    const { time } = this;
    const note = (line: string) => this.trace.push(`${((time.now - BEGIN) / 1000).toFixed(3).padStart(11)} ${line}`);
    const trace = (line: () => string) => void (traced && note(line()));
    const witness = (this.witness = new Witness(trace));
    const server = (this.#server = new Server(code, time, seed, witness, fault));
    const around = { code, fault, time, disks: new Disks(code, time, fault), server, witness, trace };
    const seedOf = (number: number) => (seed * 31 + number * 7919) >>> 0;
    this.#people = new Map(phones.map((number) => [number, new Person(around, number, seedOf(number))]));
    for (const event of events)
      time.after(event.at, () => {
        const chance = chanceFrom(event.seed);
        if (event.phone !== undefined) return this.#people.get(event.phone)![event.deed](chance);
        trace(() => `server: ${event.deed}`);
        server[event.deed](chance);
      });
    time.after(LENGTH, () => {
      trace(() => 'from here on all is well');
      this.#becomeFair();
    });
  }

  async live(): Promise<void> {
    const fail = (reason: unknown) => {
      // A killed page cannot handle its aborted requests, so those within a second of a kill are ignored.
      const isKilled = [...this.#people.values()].some(({ killedAt }) => killedAt > this.time.now - SECOND);
      if (!isKilled || (reason as Error).name !== 'AbortError') this.witness.fail(`nobody caught ${String(reason)}`);
    };
    process.on('unhandledRejection', fail);
    await this.time.run(() => this.#isOver).finally(() => process.off('unhandledRejection', fail));
  }

  /** Ends all faults (connections and server), and opens a page on each phone. */
  #becomeFair(): void {
    this.#server.start();
    for (const person of this.#people.values()) {
      person.closeAll();
      person.comeHome();
      const page = person.open();
      this.time.after(30 * SECOND, () => person.wake(page));
    }
    this.time.after(2 * MINUTE, () => this.#await(this.time.now));
  }

  #await(since: number): void {
    const waiting = this.witness.waiting([...this.#people.values()]);
    const wrong = waiting.length > 0 ? waiting : this.witness.missing(this.#server);
    if (wrong.length > 0 && this.time.now - since < PATIENCE)
      return void this.time.after(5 * MINUTE, () => this.#await(since));
    for (const each of wrong) this.witness.fail(each);
    this.#isOver = true;
  }
}
