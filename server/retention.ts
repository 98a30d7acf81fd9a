import { setTimeout as wait } from 'node:timers/promises';
import { dayInTijuana, hourInTijuana } from '../src/lead/tijuana.ts';
import type { Database } from './database/database.ts';
import type { Erasure } from './quote-store.ts';

const LOOK_EVERY = 15 * 60_000;

interface Retained {
  readonly blocked: number;
  readonly erased: number;
}

/**
 * Blocks quotes of which nobody has said a word for so many months, and erases those that have been blocked for three
 * more: step by step, so that nobody who asks for something waits for it.
 */
export async function retain(
  database: Pick<Database, 'transaction'>,
  months: number,
  now = new Date(),
): Promise<Retained> {
  const sum = { blocked: 0, erased: 0 };
  for (;;) {
    const sql = 'select * from private.retain($1, $2)';
    const [step] = await database.transaction<Retained & { is_over: boolean }>([{ sql, parameters: [months, now] }]);
    sum.blocked += step!.blocked;
    sum.erased += step!.erased;
    if (step!.is_over) return sum;
  }
}

interface Dependencies {
  readonly database: Pick<Database, 'transaction'>;
  readonly months: number;
  readonly erasing: Erasure;
  readonly now?: () => Date;
}

/** Once a day, in the night of Tijuana: to forget what was erased, the embedded database answers nobody for a while. */
export function keepRetention({ database, months, erasing, now = () => new Date() }: Dependencies) {
  let stopped = false;
  let lastDay = '';
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function look(): Promise<void> {
    const at = now().getTime();
    const [day, hour] = [dayInTijuana(at), hourInTijuana(at)];
    if (day !== lastDay && hour >= 2 && hour < 5) {
      try {
        erasing.requireSpace();
        const { blocked, erased } = await retain(database, months, now());
        // Also where nothing was erased now: an earlier night may not have come to its end.
        await erasing.finish();
        lastDay = day;
        if (blocked + erased > 0) console.log(`Retention: ${blocked} quotes were blocked, ${erased} erased.`);
      } catch (error) {
        if (!stopped)
          console.error(`Retention did not come to its end, and goes on later: ${(error as Error).message}`);
      }
    }
    if (!stopped) timer = setTimeout(() => (work = look()), LOOK_EVERY).unref();
  }
  let work = look();
  return {
    async stop(): Promise<void> {
      stopped = true;
      clearTimeout(timer);
      await Promise.race([work, wait(10_000, undefined, { ref: false })]);
    },
  };
}
