import type { Entry } from '../../src/outbox/entry.ts';
import type { Code } from './code.ts';
import type { Time } from './time.ts';

/** How long a write that nobody wanted to be strict may stay in memory. */
const LONGEST_IN_MEMORY = 10_000;

// What is used of the inside of fake-indexeddb.
interface RawStore {
  records: {
    values(): Iterable<{ readonly key: unknown; readonly value: unknown }>;
    clear(): unknown;
    put(record: { readonly key: unknown; readonly value: unknown }): unknown;
  };
}
interface RawTransaction {
  readonly mode: string;
  readonly db: Connection;
  readonly _requests: readonly unknown[];
  _state: string;
  _abort(name: string): void;
  addEventListener(type: 'complete', listener: () => void): void;
}
interface Raw {
  readonly rawObjectStores: ReadonlyMap<string, RawStore>;
  transactions: RawTransaction[];
  connections: unknown[];
}
interface Connection {
  readonly _rawDatabase: Raw;
  close(): void;
  transaction: (
    this: Connection,
    stores: unknown,
    mode?: string,
    options?: { readonly durability?: string },
  ) => RawTransaction;
}
interface Factory {
  readonly _databases: ReadonlyMap<string, Raw>;
  open(
    name: string,
    version?: number,
  ): { result: Connection; addEventListener(type: 'success', run: () => void): void };
}
interface ObjectStore {
  readonly transaction: RawTransaction;
  getKey(key: string): unknown;
  put: (this: ObjectStore, value: unknown, key?: unknown) => unknown;
  add: (this: ObjectStore, value: unknown, key?: unknown) => unknown;
}
interface Parts {
  readonly IDBFactory: new () => Factory;
  readonly IDBDatabase: { readonly prototype: Connection };
  readonly IDBObjectStore: { readonly prototype: ObjectStore };
}

/** What is on the disk, store by store. */
type Contents = ReadonlyMap<string, readonly { readonly key: unknown; readonly value: unknown }[]>;

/** The disks of all phones of a world: one IndexedDB for each, whose tasks are done by the clock of the world. */
export class Disks {
  /** `IDBRequest` and the like, as pages find them. */
  readonly names: Record<string, unknown>;
  readonly #parts: Parts;
  readonly ofConnection = new WeakMap<Connection, Disk>();

  constructor(code: Code, time: Time) {
    const setImmediate = (run: () => void) => time.after(0, run);
    this.names = code.disk({
      globalThis: { setImmediate },
      setImmediate,
      Math,
      Date: { now: () => time.now },
      structuredClone: copied,
    });
    this.#parts = this.names as unknown as Parts;
    this.#watch(time);
  }

  create(time: Time): Disk {
    return new Disk(new this.#parts.IDBFactory(), this, time);
  }

  #watch(time: Time): void {
    const { ofConnection } = this;
    const { IDBDatabase, IDBObjectStore } = this.#parts;
    const plain = IDBDatabase.prototype.transaction;
    IDBDatabase.prototype.transaction = function (this: Connection, stores, mode, options) {
      const transaction = plain.call(this, stores, mode, options);
      const disk = ofConnection.get(this);
      if (disk && transaction.mode === 'readwrite')
        transaction.addEventListener('complete', () => disk.noteWritten(options?.durability === 'strict'));
      return transaction;
    };
    for (const write of ['put', 'add'] as const) {
      const plainWrite = IDBObjectStore.prototype[write];
      IDBObjectStore.prototype[write] = function (this: ObjectStore, value, key) {
        if (!ofConnection.get(this.transaction.db)?.isFull) return plainWrite.call(this, value, key);
        // As a browser finds out: only after it was asked.
        const { transaction } = this;
        time.after(0, () => transaction._state !== 'finished' && transaction._abort('QuotaExceededError'));
        return this.getKey('');
      };
    }
  }
}

/** One phone's. What was written strictly survives the end of the battery, of the rest the newest may be gone. */
export class Disk {
  isFull = false;
  /** Called with each entry that was written. */
  onEntry: (entry: Entry) => void = () => undefined;
  onLease: (lease: unknown) => void = () => undefined;
  readonly #factory: Factory;
  readonly #disks: Disks;
  readonly #time: Time;
  #durable: Contents = new Map();
  #inMemory: { readonly at: number; readonly contents: Contents }[] = [];
  readonly #known = new WeakSet<object>();
  #lease: unknown;

  constructor(factory: Factory, disks: Disks, time: Time) {
    this.#factory = factory;
    this.#disks = disks;
    this.#time = time;
  }

  /** As a page finds it. What it opens is closed with `end`. */
  connect(isAlive: () => boolean): { readonly indexedDB: unknown; readonly end: (isKilled: boolean) => void } {
    const opened = new Set<Connection>();
    const open = (name: string, version?: number) => {
      const request = this.#factory.open(name, version);
      request.addEventListener('success', () => {
        if (!isAlive()) return request.result.close();
        opened.add(request.result);
        this.#disks.ofConnection.set(request.result, this);
      });
      return request;
    };
    return {
      indexedDB: { open },
      end: (isKilled) => {
        for (const connection of opened) {
          // What a page that is closed asked for in full is still written.
          for (const transaction of isKilled ? connection._rawDatabase.transactions : [])
            if (transaction.db === connection && transaction._state !== 'finished') transaction._abort('AbortError');
          connection.close();
        }
      },
    };
  }

  get #raw(): Raw | undefined {
    return this.#factory._databases.get('aeropuente');
  }

  #contents(): Contents {
    const stores = [...(this.#raw?.rawObjectStores ?? [])];
    return new Map(stores.map(([name, { records }]) => [name, [...records.values()]]));
  }

  entries(): readonly Entry[] {
    return entriesIn(this.#contents());
  }

  /** What would be there after the battery's end, whatever else is lost. */
  durableEntries(): readonly Entry[] {
    return entriesIn(this.#durable);
  }

  noteWritten(isStrict: boolean): void {
    const contents = this.#contents();
    if (isStrict) {
      this.#durable = contents;
      this.#inMemory = [];
    } else {
      this.#writeOld();
      this.#inMemory.push({ at: this.#time.now, contents });
    }
    for (const { value } of contents.get('quotes') ?? []) {
      if (this.#known.has(value as object)) continue;
      this.#known.add(value as object);
      this.onEntry(value as Entry);
    }
    const lease = leaseIn(contents);
    if (lease === this.#lease) return;
    this.#lease = lease;
    this.onLease(lease);
  }

  #writeOld(): void {
    const old = this.#inMemory.filter(({ at }) => at <= this.#time.now - LONGEST_IN_MEMORY);
    this.#durable = old.at(-1)?.contents ?? this.#durable;
    this.#inMemory.splice(0, old.length);
  }

  /** The battery ends. Everything that is open has to be ended before. */
  cut(chance: () => number): void {
    this.#writeOld();
    const young = this.#inMemory;
    const kept = Math.floor(chance() * (young.length + 1));
    const contents = kept > 0 ? young[kept - 1]!.contents : this.#durable;
    this.#durable = contents;
    this.#inMemory = [];
    this.onLease(undefined);
    this.#lease = leaseIn(contents);
    if (this.#lease) this.onLease(this.#lease);
    const raw = this.#raw;
    if (!raw) return;
    raw.transactions = [];
    raw.connections = [];
    for (const [name, { records }] of raw.rawObjectStores) {
      records.clear();
      for (const record of contents.get(name) ?? []) records.put(record);
    }
  }
}

/** What the product keeps is plain: the copy of everything else would take ten times as long. */
function copied<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copied) as Value;
  if (Object.getPrototypeOf(value) !== Object.prototype) return structuredClone(value);
  const copy: Record<string, unknown> = {};
  for (const name in value) copy[name] = copied(value[name]);
  return copy as Value;
}

function leaseIn(contents: Contents): unknown {
  return contents.get('settings')?.find(({ key }) => key === 'lease')?.value;
}

function entriesIn(contents: Contents): readonly Entry[] {
  return (contents.get('quotes') ?? []).map(({ value }) => value as Entry);
}
