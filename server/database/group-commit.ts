import { setImmediate as soon } from 'node:timers/promises';

interface Turn {
  readonly carryOut: () => Promise<unknown>;
  readonly writes: boolean;
  readonly onBegun?: (() => void) | undefined;
}

interface Disk<Keeper> {
  /** Resolves when all finished writes are on disk. */
  readonly sync: () => Promise<void>;
  /**
   * Owner of the writes that are not on disk yet, such as a database thread. If the owner ends, these writes are lost.
   */
  readonly keeper: () => Keeper;
  readonly lost: () => Error;
}

/** Milliseconds for which a finished write waits for further writes, so that they share one sync. */
const LONGEST = 50;
/**
 * Maximum number of unfinished writes in the database, so that the database does not have to wait for the next write.
 */
const AHEAD = 3;

/**
 * Runs reads and writes in order. A write is answered only after a sync to disk, and several writes share one sync. A
 * read waits until all earlier writes are on disk, so that a power cut cannot undo what the read has shown.
 */
export function inGroups<Keeper>({ sync, keeper, lost }: Disk<Keeper>): (turn: Turn) => Promise<unknown> {
  const queue: { readonly writes: boolean; readonly begin: () => Promise<void> }[] = [];
  const underWay = new Set<Promise<void>>();
  let group: { readonly by: Keeper; readonly settle: () => void; readonly fail: (error: unknown) => void }[] = [];
  let since = 0;
  let working = false;

  async function endGroup(): Promise<void> {
    const ending = group;
    group = [];
    const failure = await sync().then(
      () => undefined,
      (error: unknown) => error,
    );
    for (const { by, settle, fail } of ending) {
      if (failure) fail(failure);
      else if (by !== keeper()) fail(lost());
      else settle();
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
      // This short pause lets callers queue further writes, which then share the same sync.
      await soon();
    }
    working = false;
  }

  return ({ carryOut, writes, onBegun }) =>
    new Promise((resolve, reject) => {
      const begin = async () => {
        const carried = carryOut();
        if (writes) onBegun?.();
        const settle = await carried.then(
          (result) => () => resolve(result),
          (error: unknown) => () => reject(error),
        );
        if (writes) group.push({ by: keeper(), settle, fail: reject });
        else settle();
      };
      queue.push({ writes, begin });
      if (working) return;
      working = true;
      void work();
    });
}
