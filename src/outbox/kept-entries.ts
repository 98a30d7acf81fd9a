import { readEntry, withHeld, type Entry } from './entry.ts';
import type { QuoteStores, Transact } from './store.ts';

/** The entries to write or remove. A decision may carry more, for whoever made it. */
interface Decision {
  readonly put?: readonly Entry[];
  readonly remove?: Entry;
}

/**
 * Where the phone refuses to write, a change is rejected, and nothing of it is done; what was written is announced.
 * `hold`: kept in memory where the phone refuses. `strict`: survives the battery's end. `silent`: not announced.
 */
type How = 'default' | 'hold' | 'strict' | 'silent';

export interface KeptEntries {
  readonly all: () => Promise<readonly Entry[]>;
  /**
   * Looks at all entries, and writes what is decided, in one transaction. `only`: at those of these ids that are there; to
   * read a thousand for each of a thousand takes minutes.
   */
  readonly change: <D extends Decision>(
    decide: (entries: readonly Entry[]) => D,
    how?: How,
    only?: readonly string[],
  ) => Promise<D>;
  /** Memory alone knows where it stands: on disk it waits still, and the next visit sends it again. */
  readonly isHeld: (id: string) => boolean;
  readonly erase: () => Promise<void>;
}

/** The entries on disk: nothing else reads or writes them. */
export function createKeptEntries(transact: Transact<QuoteStores>, notifyChanged: () => void): KeptEntries {
  /** Entries as they stand that a full phone would not write. The server knows what they say: meeting it again does no harm. */
  const held = new Map<string, Entry>();

  /** Every entry from the disk passes here, so that one which cannot be understood stops nothing that is done to all. */
  function read(kept: Entry): Entry {
    const entry = readEntry(kept);
    const newer = held.get(entry.id);
    return newer ? withHeld(entry, newer) : entry;
  }

  return {
    all: async () => (await transact('quotes', 'readonly', (store) => store.getAll())).map(read),

    async change<D extends Decision>(
      decide: (entries: readonly Entry[]) => D,
      how: How = 'default',
      only?: readonly string[],
    ) {
      let decision: D | undefined;
      try {
        await transact('quotes', how === 'strict' ? how : 'readwrite', async (store) => {
          const found = only ? await Promise.all([...new Set(only)].map((id) => store.get(id))) : await store.getAll();
          decision = decide(found.flatMap((entry) => (entry ? read(entry) : [])));
          const { put = [], remove } = decision;
          await Promise.all([...put.map((entry) => store.put(entry)), remove && store.delete(remove.id)]);
        });
        for (const { id } of decision!.remove ? [decision!.remove] : (decision!.put ?? [])) held.delete(id);
      } catch (error) {
        if (how !== 'hold' || !decision) throw error;
        for (const entry of decision.put ?? []) held.set(entry.id, entry);
      }
      const { put = [], remove } = decision!;
      // Every other page looks again at what is announced: were nothing announced too, they would never rest.
      if (how !== 'silent' && (remove || put.length > 0)) notifyChanged();
      return decision!;
    },

    isHeld: (id) => held.has(id),

    async erase() {
      await Promise.all([
        transact('quotes', 'readwrite', (store) => store.clear()),
        transact('settings', 'readwrite', (store) => store.clear()),
      ]);
      held.clear();
      notifyChanged();
    },
  };
}
