import { setImmediate as soon } from 'node:timers/promises';

interface Turn {
  readonly carryOut: () => Promise<unknown>;
  readonly writes: boolean;
  readonly onBegun?: (() => void) | undefined;
}

interface Disk<Keeper> {
  /** Resolves when all that was carried out is on disk. */
  readonly sync: () => Promise<void>;
  /** The database that holds in memory what is not yet on disk: with it that goes. */
  readonly keeper: () => Keeper;
  readonly lost: () => Error;
}

/** Milliseconds for which writes that are carried out wait for others, to share one sync. */
const LONGEST = 50;
/** So many writes are with the database: it has the next one as it ends one. */
const AHEAD = 3;

/**
 * One turn after the other. The end of a write, a refusal too, is told once it is on disk, with those of the writes
 * that came directly after it; whatever only reads begins when all before it is there, so it tells of nothing that
 * may still go.
 */
export function inGroups<Keeper>({ sync, keeper, lost }: Disk<Keeper>): (turn: Turn) => Promise<unknown> {
  const queue: { readonly writes: boolean; readonly begin: () => Promise<void> }[] = [];
  const underWay = new Set<Promise<void>>();
  let group: { readonly by: Keeper; readonly tell: () => void; readonly fail: (error: unknown) => void }[] = [];
  let since = 0;
  let working = false;

  async function endGroup(): Promise<void> {
    const ending = group;
    group = [];
    const failure = await sync().then(
      () => undefined,
      (error: unknown) => error,
    );
    for (const { by, tell, fail } of ending) {
      if (failure) fail(failure);
      else if (by !== keeper()) fail(lost());
      else tell();
    }
  }

  async function work(): Promise<void> {
    for (;;) {
      const next = queue[0];
      const isGrouped = group.length + underWay.size > 0;
      if (next?.writes && underWay.size < AHEAD && (!isGrouped || performance.now() - since < LONGEST)) {
        if (!isGrouped) since = performance.now();
        const ending = queue.shift()!.begin();
        underWay.add(ending);
        void ending.then(() => underWay.delete(ending));
      } else if (underWay.size > 0) await Promise.race(underWay);
      else if (group.length > 0) await endGroup();
      else if (next) await queue.shift()!.begin();
      else break;
      // Calls that were only waiting for this turn join it.
      await soon();
    }
    working = false;
  }

  return ({ carryOut, writes, onBegun }) =>
    new Promise((resolve, reject) => {
      const begin = async () => {
        const carried = carryOut();
        if (writes) onBegun?.();
        const tell = await carried.then(
          (result) => () => resolve(result),
          (error: unknown) => () => reject(error),
        );
        if (writes) group.push({ by: keeper(), tell, fail: reject });
        else tell();
      };
      queue.push({ writes, begin });
      if (working) return;
      working = true;
      void work();
    });
}
