import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { FILES_STORE } from '../agreements.ts';
import { PART_BYTES } from '../lead/files.ts';
import { messagesOfKind, type Message } from '../lead/messages.ts';
import type { Entry } from './entry.ts';
import type { Outbox } from './outbox.ts';
import { createTransact, type Transact } from './store.ts';

interface FileStores extends DBSchema {
  /** The key is the id of the file and the number of the part. */
  parts: { key: [string, number]; value: ArrayBuffer };
}

/**
 * Opens the database for a task, then closes it. An open connection of another tab would prevent the visitor from
 * erasing all data.
 */
async function withStore<T>(work: (transact: Transact<FileStores>) => Promise<T>): Promise<T> {
  let store: IDBPDatabase<FileStores> | undefined;
  const open = async () =>
    (store = await openDB<FileStores>(FILES_STORE, 1, {
      upgrade: (fresh) => void fresh.createObjectStore('parts'),
      blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
    }));
  try {
    return await work(createTransact(open));
  } finally {
    store?.close();
  }
}

/**
 * Number of bytes that must stay free for quotes when a file is stored. `storeFile` writes that many bytes to test
 * this, because Chrome reports the same quota to every site, whatever is really free.
 */
const RESERVE = 1_000_000;

/** Stores the whole file. Rejects if the disk then has less than RESERVE bytes free. */
export const storeFile = (id: string, content: ArrayBuffer): Promise<void> =>
  withStore(async (transact) => {
    await transact('parts', 'strict', (store) => {
      const puts: Promise<unknown>[] = [store.put(new ArrayBuffer(RESERVE), ['', 0])];
      for (let at = 0; at < content.byteLength; at += PART_BYTES)
        puts.push(store.put(content.slice(at, at + PART_BYTES), [id, at / PART_BYTES]));
      return Promise.all(puts);
    });
    await transact('parts', 'readwrite', (store) => store.delete(['', 0]));
  });

export const readPart = (id: string, part: number): Promise<ArrayBuffer | undefined> =>
  withStore((transact) => transact('parts', 'readonly', (store) => store.get([id, part])));

const locks = navigator.locks as LockManager | undefined;

/**
 * Runs tasks on files one at a time. A new file is stored before the message about it, so deleting unused files between
 * the two would delete the new file.
 */
export const withFileLock = <T>(work: () => Promise<T>): Promise<T> => locks?.request(FILES_STORE, work) ?? work();

const REMOVED = `${FILES_STORE}.removed`;

/** Keeps the files of a removed quote until `until` settles, because until then the visitor can undo the removal. */
export const keepRemovedFiles = (until: Promise<unknown>): unknown =>
  locks?.request(REMOVED, { mode: 'shared' }, () => until);

export function deleteUnusedFiles(outbox: Pick<Outbox, 'entries'>): Promise<void> {
  const tidy = () => withFileLock(async () => deleteFilesExcept(await outbox.entries(), () => true));
  return locks?.request(REMOVED, { ifAvailable: true }, (lock) => (lock ? tidy() : undefined)) ?? tidy();
}

/** Deletes this phone's copies of files that are not waiting to be sent, to make room for a new file. */
export const deleteDeliveredFiles = (entries: readonly Entry[]): Promise<void> =>
  deleteFilesExcept(entries, ({ state }) => state.kind === 'waiting');

const deleteFilesExcept = (entries: readonly Entry[], isWanted: (file: Message) => boolean): Promise<void> =>
  withStore((transact) => {
    const files = entries.flatMap(({ messages }) => messagesOfKind(messages, 'archivo'));
    const wanted = new Set(files.filter(isWanted).map(({ id }) => id));
    return transact('parts', 'readwrite', async (store) => {
      const keys = await store.getAllKeys();
      await Promise.all(keys.filter(([id]) => !wanted.has(id)).map((key) => store.delete(key)));
    });
  });
