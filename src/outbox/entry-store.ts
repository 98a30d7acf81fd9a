import { readEntry, mergeEntries, type Entry } from './entry.ts';
import type { QuoteStores, Transact } from './store.ts';

interface Decision {
  /** Entries to write. Entries that were read and not changed are left out. */
  readonly put?: readonly Entry[];
  readonly remove?: Entry;
}

/**
 * `default`: `change` rejects if the disk refuses the write. `hold`: `change` keeps the entries in memory in that case.
 * `strict`: `change` waits until the data are physically on the disk. `silent`: listeners are not notified.
 */
type WriteMode = 'default' | 'hold' | 'strict' | 'silent';

export interface EntryStore {
  readonly all: () => Promise<readonly Entry[]>;
  /**
   * Reads entries, calls `decide` and writes its result, in one transaction. `only`: ids of the entries to read.
   * Reading all 1000 entries for each of 1000 changes would take minutes.
   */
  readonly change: <D extends Decision>(
    decide: (entries: readonly Entry[]) => D,
    how?: WriteMode,
    only?: readonly string[],
  ) => Promise<D>;
  /**
   * True if the newest state of the entry is only in memory. On disk the entry is still waiting, so the next visit
   * sends it again.
   */
  readonly isUnsaved: (id: string) => boolean;
  readonly erase: () => Promise<void>;
}

export function createEntryStore(transact: Transact<QuoteStores>, notifyChanged: () => void): EntryStore {
  /**
   * Newer versions of entries that a full disk refused to store. If they are lost at a restart, the quotes are sent
   * again, which is harmless, because the server stores each id once.
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
      let put: readonly Entry[] = [];
      try {
        await transact('quotes', how === 'strict' ? how : 'readwrite', async (store) => {
          const found = only ? await Promise.all([...new Set(only)].map((id) => store.get(id))) : await store.getAll();
          const known = new Set(found.flatMap((entry) => (entry ? read(entry) : [])));
          decision = decide([...known]);
          put = (decision.put ?? []).filter((entry) => !known.has(entry));
          const { remove } = decision;
          await Promise.all([...put.map((entry) => store.put(entry)), remove && store.delete(remove.id)]);
        });
        for (const { id } of decision!.remove ? [decision!.remove] : put) unwritten.delete(id);
      } catch (error) {
        if (how !== 'hold' || !decision) throw error;
        for (const entry of put) unwritten.set(entry.id, entry);
      }
      // Each notification makes other pages read the entries, and that read may write. If a write without changes were
      // announced too, the pages would notify each other forever.
      if (how !== 'silent' && (decision!.remove || put.length > 0)) notifyChanged();
      return { ...decision!, put };
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
