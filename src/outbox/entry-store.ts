import { readEntry, mergeEntries, type Entry } from './entry.ts';
import type { QuoteStores, Transact } from './store.ts';

interface Decision {
  readonly put?: readonly Entry[];
  readonly remove?: Entry;
}

/**
 * `default`: rejected if the disk refuses to write. `hold`: kept in memory then. `strict`: flushed to disk. `silent`:
 * not announced.
 */
type WriteMode = 'default' | 'hold' | 'strict' | 'silent';

export interface EntryStore {
  readonly all: () => Promise<readonly Entry[]>;
  /**
   * Reads, decides and writes in one transaction. `only`: ids to read; a thousand full reads of a thousand entries take
   * minutes.
   */
  readonly change: <D extends Decision>(
    decide: (entries: readonly Entry[]) => D,
    how?: WriteMode,
    only?: readonly string[],
  ) => Promise<D>;
  /** True if the state is only in memory: on disk the entry still waits, and the next visit sends it again. */
  readonly isUnsaved: (id: string) => boolean;
  readonly erase: () => Promise<void>;
}

export function createEntryStore(transact: Transact<QuoteStores>, notifyChanged: () => void): EntryStore {
  /** Entries that a full disk refused. The server has them, so sending them again after a restart is harmless. */
  const unwritten = new Map<string, Entry>();

  function read(stored: Entry): Entry {
    const entry = readEntry(stored);
    const newer = unwritten.get(entry.id);
    return newer ? mergeEntries(entry, newer) : entry;
  }

  return {
    all: async () => (await transact('quotes', 'readonly', (store) => store.getAll())).map(read),

    async change<D extends Decision>(
      decide: (entries: readonly Entry[]) => D,
      how: WriteMode = 'default',
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
        for (const { id } of decision!.remove ? [decision!.remove] : (decision!.put ?? [])) unwritten.delete(id);
      } catch (error) {
        if (how !== 'hold' || !decision) throw error;
        for (const entry of decision.put ?? []) unwritten.set(entry.id, entry);
      }
      const { put = [], remove } = decision!;
      // Other pages read again after each announcement; announcing without a change would never end.
      if (how !== 'silent' && (remove || put.length > 0)) notifyChanged();
      return decision!;
    },

    isUnsaved: (id) => unwritten.has(id),

    async erase() {
      await Promise.all([
        transact('quotes', 'readwrite', (store) => store.clear()),
        transact('settings', 'readwrite', (store) => store.clear()),
      ]);
      unwritten.clear();
      notifyChanged();
    },
  };
}
