import { setTimeout as wait } from 'node:timers/promises';
import { dayInTijuana, hourInTijuana } from '../src/lead/tijuana.ts';
import type { Database } from './database/database.ts';
import type { Erasure } from './quote-store.ts';

const LOOK_EVERY = 15 * 60_000;

interface RetentionResult {
  readonly blocked: number;
  readonly erased: number;
}

/**
 * Blocks quotes after `months` without activity, and erases them three months later. Works in small steps, so that
 * requests do not have to wait long.
 */
export async function retain(
  database: Pick<Database, 'transaction'>,
  months: number,
  now = new Date(),
): Promise<RetentionResult> {
  const sum = { blocked: 0, erased: 0 };
  for (;;) {
    const sql = 'select * from private.retain($1, $2)';
    const [step] = await database.transaction<RetentionResult & { is_over: boolean }>([
      { sql, parameters: [months, now] },
    ]);
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

/**
 * Runs retention once a day, at night in Tijuana, because removing erased rows blocks the embedded database for a
 * while.
 */
export function scheduleRetention({ database, months, erasing, now = () => new Date() }: Dependencies) {
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
        // The database files are cleaned even if nothing was erased now, because an earlier run may have been
        // interrupted before that.
        await erasing.finish();
        lastDay = day;
        if (blocked + erased > 0) console.log(`Retention: ${blocked} quotes were blocked, ${erased} erased.`);
      } catch (error) {
        if (!stopped) console.error(`Retention was interrupted and continues later: ${(error as Error).message}`);
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
