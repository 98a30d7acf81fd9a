import { parentPort } from 'node:worker_threads';
import { buildCode, type Code, type Patch } from './code.ts';
import { planOf, type Plan } from './plan.ts';
import type { ServerFaults } from './server.ts';
import { live, type Ended } from './world.ts';

/** A world to live through: a part of its plan, where it is shrunk. */
export interface Task {
  readonly seed: number;
  readonly phones?: readonly number[] | undefined;
  readonly events?: readonly number[] | undefined;
  readonly traced?: boolean;
  readonly patches?: readonly Patch[] | undefined;
  readonly server?: ServerFaults | undefined;
}

export interface Done extends Ended {
  readonly task: Task;
  readonly phones: number;
}

let code: { readonly patches: string; readonly code: Promise<Code> } | undefined;

export async function liveOne(task: Task): Promise<Done> {
  const patches = JSON.stringify(task.patches ?? []);
  if (code?.patches !== patches) code = { patches, code: buildCode(task.patches ?? []) };
  const plan = partOf(planOf(task.seed), task);
  const ended = await live(plan, await code.code, { traced: task.traced ?? false, faults: task.server ?? {} });
  return { ...ended, task, phones: plan.phones.length };
}

/** What is left keeps its own chance, so that it happens as it did among the others. */
export function partOf(plan: Plan, { phones, events }: Pick<Task, 'phones' | 'events'>): Plan {
  return {
    ...plan,
    phones: plan.phones.filter((phone) => !phones || phones.includes(phone)),
    events: plan.events.filter(
      ({ phone }, at) => (!events || events.includes(at)) && (phone === undefined || !phones || phones.includes(phone)),
    ),
  };
}

parentPort?.on('message', (task: Task) => {
  liveOne(task).then(
    (done) => parentPort!.postMessage(done),
    (error: unknown) => {
      setImmediate(() => {
        throw error;
      });
    },
  );
});
