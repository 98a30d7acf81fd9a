import { setTimeout as wait } from 'node:timers/promises';
import type { Database, Statement } from './database/database.ts';

/** So long what was blocked is kept, for what may still be asked of whoever stores it; src/content/legal.ts says so. */
const BLOCKED_MONTHS = 3;
/** Of one step, so that nobody who asks for something waits for it. */
const AT_ONCE = 200;
const LOOK_EVERY = 15 * 60_000;

export interface Retained {
  readonly blocked: number;
  readonly erased: number;
}

/**
 * Blocks quotes of which nobody has said a word for so many months, and erases those that have been blocked for three
 * more. Two processes that do so at once share the work.
 */
export async function retain(
  database: Pick<Database, 'transaction'>,
  months: number,
  now = new Date(),
): Promise<Retained> {
  const old = (more: string, act: (ids: string) => string): Statement => ({
    sql: act(`select d.quote_id from public.quote_desk as d
      where ${more} and private.last_word(d.quote_id) < $1::timestamptz - $2::integer * interval '1 month'
      order by d.quote_id limit ${AT_ONCE} for update of d skip locked`),
    parameters: [now, months],
  });
  const blocking = old(
    'd.blocked_at is null',
    (ids) => `update public.quote_desk set blocked_at = now() where quote_id in (${ids}) returning quote_id`,
  );
  const erasing = old(
    `d.blocked_at < $1::timestamptz - interval '${BLOCKED_MONTHS} months'`,
    (ids) => `delete from public.quotes where id in (${ids}) returning id`,
  );
  const all = async (step: Statement): Promise<number> => {
    let count = 0;
    for (;;) {
      const done = await database.transaction([step]);
      count += done.length;
      if (done.length < AT_ONCE) return count;
    }
  };
  // Never one after the other of the same quote: what is blocked now is not old enough to be erased.
  return { blocked: await all(blocking), erased: await all(erasing) };
}

interface Dependencies {
  readonly database: Pick<Database, 'transaction'>;
  readonly months: number;
  /** After something was erased. */
  readonly finishErasing: () => Promise<void>;
  readonly now?: () => Date;
}

/** Once a day, in the night of Tijuana: to forget what was erased, the embedded database answers nobody for a while. */
export function keepRetention({ database, months, finishErasing, now = () => new Date() }: Dependencies) {
  let stopped = false;
  let lastDay = '';
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function look(): Promise<void> {
    const [day = '', hour = ''] = now().toLocaleString('sv-SE', { timeZone: 'America/Tijuana' }).split(/[ :]/);
    if (day !== lastDay && Number(hour) >= 2 && Number(hour) < 5) {
      try {
        const { blocked, erased } = await retain(database, months, now());
        if (erased > 0) await finishErasing();
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
