import { readEntry, mergeEntries, type Entry } from './entry.ts';
import type { QuoteStores, Transact } from './store.ts';

interface Decision {
  readonly put?: readonly Entry[];
  readonly remove?: Entry;
}

/**
 * `default`: rejects if the disk refuses the write. `hold`: keeps the entries in memory in that case. `strict`: waits
 * until the disk has the data. `silent`: does not notify the listeners.
 */
type WriteMode = 'default' | 'hold' | 'strict' | 'silent';

export interface EntryStore {
  readonly all: () => Promise<readonly Entry[]>;
  /**
   * Reads, decides and writes in one transaction. `only`: ids of the entries to read; reading all 1000 entries once for
   * each of them takes minutes.
   */
  readonly change: <D extends Decision>(
    decide: (entries: readonly Entry[]) => D,
    how?: WriteMode,
    only?: readonly string[],
  ) => Promise<D>;
  /** True if the state is only in memory: on disk the entry still waits, so the next visit sends it again. */
  readonly isUnsaved: (id: string) => boolean;
  readonly erase: () => Promise<void>;
}

export function createEntryStore(transact: Transact<QuoteStores>, notifyChanged: () => void): EntryStore {
  /**
   * Entries in the state that a full disk refused to store. If a restart loses this state, they are sent again, which
   * is harmless because the server stores each id once.
   */
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
      // Other pages read the entries after each notification and may write. Notifying without a change would therefore
      // never end.
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
