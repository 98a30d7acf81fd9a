import type { Entry } from '../../src/outbox/entry.ts';
import type { Code } from './code.ts';
import type { Fault } from './faults.ts';
import type { Time } from './time.ts';

interface Row {
  readonly key: unknown;
  readonly value: unknown;
}

// Internals of fake-indexeddb that this file uses.
interface RawDatabase {
  readonly rawObjectStores: ReadonlyMap<
    string,
    { readonly records: { values(): Iterable<Row>; clear(): unknown; put(row: Row): unknown } }
  >;
  transactions: Transaction[];
  connections: unknown[];
}
interface Transaction {
  readonly mode: string;
  readonly db: Connection;
  readonly _state: string;
  _abort(name: string): void;
  addEventListener(type: 'complete', listener: () => void): void;
}
interface Connection {
  readonly _rawDatabase: RawDatabase;
  close(): void;
  transaction: (
    this: Connection,
    stores: unknown,
    mode?: string,
    options?: { readonly durability?: string },
  ) => Transaction;
}
interface Factory {
  readonly _databases: ReadonlyMap<string, RawDatabase>;
  open(
    name: string,
    version?: number,
  ): { result: Connection; addEventListener(type: 'success', run: () => void): void };
}
interface Parts {
  readonly IDBFactory: new () => Factory;
  readonly IDBDatabase: { readonly prototype: Connection };
}

type Contents = ReadonlyMap<string, readonly Row[]>;

/** Disks of all simulated phones. Each disk is an IndexedDB that follows the simulated clock. */
export class Disks {
  /** Globals of IndexedDB by name, such as `IDBRequest`. */
  readonly names: Record<string, unknown>;
  readonly ofConnection = new WeakMap<Connection, Disk>();

  constructor(code: Code, time: Time, fault: Fault) {
    const setImmediate = (run: () => void) => time.after(0, run);
    const surroundings = { globalThis: { setImmediate }, setImmediate, Math, Date: { now: () => time.now } };
    this.names = code.disk({ ...surroundings, structuredClone: copied });
    const { ofConnection } = this;
    const { prototype } = (this.names as unknown as Parts).IDBDatabase;
    const begin = prototype.transaction;
    prototype.transaction = function (this: Connection, stores, mode, options) {
      const transaction = begin.call(this, stores, mode, options);
      const isStrict = options?.durability === 'strict' && !fault.ignoresStrict;
      if (transaction.mode === 'readwrite')
        transaction.addEventListener('complete', () => ofConnection.get(this)?.noteWritten(isStrict));
      return transaction;
    };
  }

  create(): Disk {
    return new Disk(new (this.names as unknown as Parts).IDBFactory(), this);
  }
}

/** Disk of a phone. A write with strict durability survives a flat battery; later relaxed writes may be lost. */
export class Disk {
  onEntry: (entry: Entry) => void = () => undefined;
  onLease: (lease: unknown) => void = () => undefined;
  readonly #factory: Factory;
  readonly #disks: Disks;
  #durable: Contents = new Map();
  readonly #known = new WeakSet<object>();
  #lease: unknown;

  constructor(factory: Factory, disks: Disks) {
    this.#factory = factory;
    this.#disks = disks;
  }

  /** Returns a page’s `indexedDB`, and `end`, which closes the page’s connections. */
  connect(isAlive: () => boolean): { readonly indexedDB: unknown; readonly end: (isKilled: boolean) => void } {
    const opened = new Set<Connection>();
    const open = (name: string, version?: number) => {
      const request = this.#factory.open(name, version);
      request.addEventListener('success', () => {
        const connection = request.result;
        if (!isAlive()) return connection.close();
        opened.add(connection);
        this.#disks.ofConnection.set(connection, this);
      });
      return request;
    };
    const end = (isKilled: boolean) => {
      for (const connection of opened) {
        // A closed page completes its requests. A killed page does not.
        for (const transaction of isKilled ? connection._rawDatabase.transactions : [])
          if (transaction.db === connection && transaction._state !== 'finished') transaction._abort('AbortError');
        connection.close();
      }
    };
    return { indexedDB: { open }, end };
  }

  get #raw(): RawDatabase | undefined {
    return this.#factory._databases.get('aeropuente');
  }

  #contents(): Contents {
    const stores = [...(this.#raw?.rawObjectStores ?? [])];
    return new Map(stores.map(([name, { records }]) => [name, [...records.values()]]));
  }

  entries(): readonly Entry[] {
    return entriesIn(this.#contents());
  }

  /** Returns the entries that would survive a flat battery. */
  durableEntries(): readonly Entry[] {
    return entriesIn(this.#durable);
  }

  noteWritten(isStrict: boolean): void {
    const contents = this.#contents();
    if (isStrict) this.#durable = contents;
    for (const entry of entriesIn(contents)) {
      if (this.#known.has(entry)) continue;
      this.#known.add(entry);
      this.onEntry(entry);
    }
    this.#noteLease(contents);
  }

  #noteLease(contents: Contents): void {
    const lease = contents.get('settings')?.find(({ key }) => key === 'lease')?.value;
    if (lease !== this.#lease) this.onLease((this.#lease = lease));
  }

  /** Loses all writes that were not durable, as a flat battery does. All connections must have ended before. */
  cut(chance: () => number): void {
    if (chance() < 0.5) this.#durable = this.#contents();
    this.#noteLease(new Map());
    this.#noteLease(this.#durable);
    const raw = this.#raw;
    if (!raw) return;
    raw.transactions = [];
    raw.connections = [];
    for (const [name, { records }] of raw.rawObjectStores) {
      records.clear();
      for (const row of this.#durable.get(name) ?? []) records.put(row);
    }
  }
}

/** Copies plain objects. structuredClone would take ten times as long. */
function copied<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copied) as Value;
  if (Object.getPrototypeOf(value) !== Object.prototype) return structuredClone(value);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, copied(part)])) as Value;
}

function entriesIn(contents: Contents): readonly Entry[] {
  return (contents.get('quotes') ?? []).map(({ value }) => value as Entry);
}
