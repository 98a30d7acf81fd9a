import { setImmediate as soon } from 'node:timers/promises';

interface Turn {
  readonly carryOut: () => Promise<unknown>;
  readonly writes: boolean;
  readonly onCarriedOut?: (() => void) | undefined;
}

interface Disk<Keeper> {
  /** Resolves when all that was carried out is on disk. */
  readonly sync: () => Promise<void>;
  /** The database that holds in memory what is not yet on disk: with it that goes. */
  readonly keeper: () => Keeper;
  readonly lost: () => Error;
}

/** Milliseconds for which writes that are carried out wait for others, to share one sync. */
const LONGEST = 10;

/**
 * One turn after the other. The end of a write, a refusal too, is told once it is on disk, with those of the writes
 * that came directly after it; whatever only reads begins when all before it is there, so it tells of nothing that
 * may still go.
 */
export function inGroups<Keeper>({ sync, keeper, lost }: Disk<Keeper>): (turn: Turn) => Promise<unknown> {
  const queue: { readonly writes: boolean; readonly begin: () => Promise<void> }[] = [];
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
      if (group.length > 0 && (!next?.writes || performance.now() - since > LONGEST)) await endGroup();
      else if (next) await queue.shift()!.begin();
      else break;
      // Calls that were only waiting for this turn join it.
      await soon();
    }
    working = false;
  }

  return ({ carryOut, writes, onCarriedOut }) =>
    new Promise((resolve, reject) => {
      const begin = async () => {
        const tell = await carryOut().then(
          (result) => () => resolve(result),
          (error: unknown) => () => reject(error),
        );
        onCarriedOut?.();
        if (!writes) return tell();
        if (group.length === 0) since = performance.now();
        group.push({ by: keeper(), tell, fail: reject });
      };
      queue.push({ writes, begin });
      if (working) return;
      working = true;
      void work();
    });
}
