import { WAITING_MARK } from '../../src/agreements.ts';
import { chanceFrom, idFrom } from '../chance.ts';
import type { Code, Surroundings, WorkerCode } from './code.ts';
import type { Disk, Disks } from './disk.ts';
import { passageOn, responseOf, type Line, type WorldResponse } from './line.ts';
import { Locks, type Asker } from './locks.ts';
import type { Asked } from './model.ts';
import type { Fault } from './faults.ts';
import { Unanswered, type Server } from './server.ts';
import { DAY, MINUTE, SECOND, type Task, type Time } from './time.ts';
import type { Witness } from './witness.ts';

/** Kind of browser. `plain` is a page without HTTPS, so without service worker and Web Locks. */
type Engine = 'chromium' | 'webkit' | 'plain';

/** Parts of the simulation that a phone uses. */
interface Around {
  readonly code: Code;
  readonly fault: Fault;
  readonly time: Time;
  readonly disks: Disks;
  readonly server: Server;
  readonly witness: Witness;
  readonly trace: (line: () => string) => void;
}

/** Page or worker, with its own copy of the product’s modules. */
export class Realm implements Asker {
  readonly phone: Phone;
  readonly name: string;
  readonly #events = new EventTarget();
  readonly listen = this.#events.addEventListener.bind(this.#events);
  isAlive = true;
  /** Tasks of a suspended page, run when the browser resumes the page; undefined while the page is not suspended. */
  #frozen: (() => void)[] | undefined;
  readonly #end: (isKilled: boolean) => void;
  readonly surroundings: Surroundings;

  constructor(phone: Phone, name: string, own: (realm: Realm) => Surroundings) {
    this.phone = phone;
    this.name = name;
    const { indexedDB, end } = phone.disk.connect(() => this.isAlive);
    this.#end = end;
    const { time, disks, fault } = phone.around;
    const began = time.now;
    const setTimeout = (run: () => void, wait = 0) => time.after(wait, () => this.turn(run));
    const clearTimeout = (task: Task | undefined) => {
      if (task) task.run = undefined;
    };
    const abortAfter = (wait: number) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(new DOMException('It took too long.', 'TimeoutError')), wait);
      return controller.signal;
    };
    const location = { origin: 'https://aeropuente.example', hash: '' };
    const self = { location, addEventListener: this.listen };
    const chance = phone.chance;
    this.surroundings = {
      ...disks.names,
      fault,
      self,
      window: self,
      location,
      indexedDB,
      setTimeout,
      clearTimeout,
      setImmediate: setTimeout,
      addEventListener: this.listen,
      removeEventListener: this.#events.removeEventListener.bind(this.#events),
      dispatchEvent: () => true,
      fetch: (input: string | URL, init: RequestInit) => phone.fetch(this, String(input), init),
      BroadcastChannel: channelOf(this),
      AbortSignal: { timeout: abortAfter },
      crypto: { randomUUID: () => idFrom(chance) },
      Date: phone.Date,
      Math: Object.create(Math, { random: { value: chance } }),
      performance: { now: () => time.now - began },
      Notification: { permission: 'default' },
      globalThis: { ...(phone.engine === 'chromium' && { SyncManager: true }) },
      ...own(this),
    };
  }

  turn(run: () => void): void {
    if (!this.isAlive) return;
    if (this.#frozen) this.#frozen.push(run);
    else run();
  }

  say(type: string): void {
    this.turn(() => this.#events.dispatchEvent(new Event(type)));
  }

  freeze(): void {
    if (this.#frozen) return;
    this.say('freeze');
    this.#frozen = [];
  }

  thaw(): void {
    if (!this.#frozen) return;
    this.phone.around.time.after(0, () => this.say('resume'));
    const missed = this.#frozen ?? [];
    this.#frozen = undefined;
    for (const run of missed) this.phone.around.time.after(0, () => this.turn(run));
  }

  end(isKilled: boolean): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    if (isKilled) this.phone.killedAt = this.phone.around.time.now;
    this.#end(isKilled);
    this.phone.forget(this);
  }
}

function channelOf(realm: Realm) {
  const { channels, around } = realm.phone;
  return class {
    readonly realm = realm;
    run: (event: object) => void = () => undefined;
    constructor() {
      channels.add(this);
    }
    addEventListener(_type: string, run: (event: object) => void) {
      this.run = run;
    }
    postMessage() {
      if (!realm.isAlive) return;
      for (const other of channels)
        if (other !== this) around.time.after(1, () => other.realm.turn(() => other.run({ data: null })));
    }
    close() {
      channels.delete(this);
    }
  };
}

const LINES: readonly Line[] = ['good', 'good', 'good', 'slow', 'slow', 'lossy', 'lossy', 'none'];

export interface Page {
  readonly realm: Realm;
  readonly code: ReturnType<Code['page']>;
  /** True once the form is hydrated and sending has started. */
  isAwake: boolean;
  isBusy: boolean;
}

export class Phone {
  readonly around: Around;
  readonly number: number;
  readonly engine: Engine;
  readonly chance: () => number;
  readonly disk: Disk;
  readonly locks: Locks;
  readonly channels = new Set<{ readonly realm: Realm; readonly run: (event: object) => void }>();
  readonly localStorage = new Map<string, string>();
  readonly Date: DateConstructor;
  line: Line = 'good';
  killedAt = -Infinity;
  pages: Page[] = [];
  #worker: { readonly realm: Realm; readonly code: WorkerCode } | undefined;
  #workerUses = 0;
  #sync: Task | undefined;
  #opened = 0;
  /** Milliseconds by which the phone’s clock is fast. */
  readonly #ahead: number;

  constructor(around: Around, number: number, seed: number) {
    this.around = around;
    this.number = number;
    this.chance = chanceFrom(seed);
    const roll = this.chance();
    this.engine = roll < 0.5 ? 'chromium' : roll < 0.75 ? 'webkit' : 'plain';
    this.disk = around.disks.create();
    this.locks = new Locks(around.time);
    const skew = [0, 0, 5 * SECOND, 10 * MINUTE, DAY, 400 * DAY][Math.floor(this.chance() * 6)]!;
    this.#ahead = Math.floor((this.chance() - 0.5) * 2 * skew);
    const now = () => this.now;
    this.Date = class extends Date {
      constructor(...given: readonly unknown[]) {
        if (given.length === 0) super(now());
        else super(given[0] as number);
      }
      static override now() {
        return now();
      }
    } as DateConstructor;
    around.witness.watch(this);
  }

  get now(): number {
    return Math.floor(this.around.time.now) + this.#ahead;
  }

  get #realms(): readonly Realm[] {
    return [...this.pages.map(({ realm }) => realm), ...(this.#worker ? [this.#worker.realm] : [])];
  }

  forget(realm: Realm): void {
    this.pages = this.pages.filter((page) => page.realm !== realm);
    if (this.#worker?.realm === realm) this.#worker = undefined;
    for (const channel of this.channels) if (channel.realm === realm) this.channels.delete(channel);
    this.locks.release(realm);
  }

  // Pages

  open(): Page {
    const { code, trace } = this.around;
    this.#opened += 1;
    const realm = new Realm(this, `tab ${this.number}.${this.#opened}`, (own) => ({
      document: { visibilityState: 'visible', addEventListener: own.listen },
      navigator: this.#navigator(own),
      localStorage: this.#storage,
      sessionStorage: this.#storage,
    }));
    const page: Page = { realm, code: code.page(realm.surroundings), isAwake: false, isBusy: false };
    this.pages.push(page);
    trace(() => `${realm.name} opens, ${this.engine}`);
    this.around.witness.follow(page);
    // src/landing/client.ts sends waiting quotes before it loads the rest of the page.
    if (this.localStorage.has(WAITING_MARK)) {
      void page.code.outbox.flush('sign-of-life').catch(() => undefined);
      this.wake(page);
    }
    return page;
  }

  /** Hydrates the form, as the page does when the visitor scrolls to it. */
  wake(page: Page): void {
    if (page.isAwake) return;
    page.isAwake = true;
    page.code.keepSending();
  }

  close(page: Page): void {
    this.around.trace(() => `${page.realm.name} closes`);
    page.realm.say('pagehide');
    page.realm.end(false);
  }

  setLine(line: Line): void {
    const earlier = this.line;
    this.line = line;
    this.around.trace(() => `phone ${this.number}: line ${line}`);
    if (line === 'none' || earlier !== 'none') return;
    for (const { realm } of this.pages) realm.say('online');
    if (this.#sync) this.#syncAfter(this.chance() * 5 * SECOND);
  }

  // Events

  openAnother(chance: () => number): void {
    if (this.pages.length >= 3) return;
    const page = this.open();
    if (chance() < 0.5) this.around.time.after(chance() * SECOND, () => page.realm.turn(() => this.wake(page)));
  }

  closeAll(): void {
    for (const page of this.pages) this.close(page);
  }

  freeze(): void {
    for (const { realm } of this.pages) realm.freeze();
  }

  thaw(): void {
    for (const { realm } of this.pages) realm.thaw();
  }

  /** Kills the browser and its worker. */
  kill(): void {
    this.around.trace(() => `phone ${this.number}: its browser is killed`);
    for (const realm of this.#realms) realm.end(true);
  }

  cutBattery(): void {
    this.around.trace(() => `phone ${this.number}: its battery ends`);
    for (const realm of this.#realms) realm.end(true);
    this.disk.cut(this.chance);
    if (this.#sync) this.#syncAfter(MINUTE);
  }

  changeLine(chance: () => number): void {
    this.setLine(LINES[Math.floor(chance() * LINES.length)]!);
  }

  comeHome(): void {
    this.setLine('good');
  }

  // The browser

  readonly #storage = {
    getItem: (name: string) => this.localStorage.get(name) ?? null,
    setItem: (name: string, value: string) => void this.localStorage.set(name, value),
    removeItem: (name: string) => void this.localStorage.delete(name),
  };

  #navigator(realm: Realm): object {
    if (this.engine === 'plain') return { onLine: true };
    return {
      onLine: true,
      locks: {
        request: (_name: string, options: object, work: () => unknown) => {
          if (!realm.isAlive) return new Promise(() => {});
          return this.around.fault.sharesLock ? work() : this.locks.request(realm, options, work);
        },
      },
      serviceWorker: {
        ready: Promise.resolve(this.#registration),
        controller: {
          postMessage: () => void this.around.time.after(5, () => void this.#deliver().catch(() => undefined)),
        },
      },
    };
  }

  get #registration() {
    const sync = { register: async () => this.#syncAfter(this.chance() * 2 * SECOND) };
    return { active: true, ...(this.engine === 'chromium' && { sync }) };
  }

  async #deliver(): Promise<void> {
    const worker = (this.#worker ??= this.#startWorker());
    this.#workerUses += 1;
    const uses = this.#workerUses;
    try {
      await worker.code.deliverWaiting({});
    } finally {
      // Browsers end a worker that was idle for 30 seconds.
      this.around.time.after(30 * SECOND, () => uses === this.#workerUses && worker.realm.end(false));
    }
  }

  #startWorker() {
    const realm = new Realm(this, `worker ${this.number}`, (own) => {
      const self = {
        location: { origin: 'https://aeropuente.example' },
        registration: this.#registration,
        clients: { matchAll: async () => this.pages.map(() => ({ visibilityState: 'visible' })) },
      };
      return { self, window: undefined, navigator: this.#navigator(own) };
    });
    return { realm, code: this.around.code.worker(realm.surroundings) };
  }

  /**
   * Fires a sync event after a delay. Chromium fires at most three; when the third comes, the worker registers again.
   */
  #syncAfter(wait: number): void {
    if (this.#sync) this.#sync.run = undefined;
    const sync = this.around.time.after(wait, () => {
      if (this.line === 'none') return;
      this.around.trace(() => `phone ${this.number}: sync`);
      void this.#deliver().then(
        () => this.#sync === sync && (this.#sync = undefined),
        () => this.#sync === sync && this.#syncAfter(5 * MINUTE + this.chance() * 15 * MINUTE),
      );
    });
    this.#sync = sync;
  }

  // Network connection

  fetch(realm: Realm, input: string, init: RequestInit): Promise<WorldResponse> {
    const { time, witness, trace } = this.around;
    const asked = readAsked(input, init);
    const passage = passageOn(this.line, this.chance);
    const writes = asked.method !== 'GET';
    if (!realm.isAlive) return new Promise(() => {});
    const sent = writes ? witness.sends(realm, asked) : undefined;
    return new Promise<WorldResponse>((resolve, reject) => {
      let isOver = false;
      const end = (run: () => void) => {
        realm.turn(() => {
          if (isOver) return;
          isOver = true;
          sent?.();
          run();
        });
      };
      const fail = () => end(() => reject(new TypeError('Failed to fetch')));
      init.signal?.addEventListener('abort', () => end(() => reject(init.signal!.reason)));
      const { there, back, noticed, twice, isCut } = passage;
      const note = (what: string) =>
        trace(() => `${realm.name} ${asked.method} ${asked.table} ${idOf(asked)}: ${what}`);
      if (there === undefined) {
        note('lost on its way');
        if (noticed !== undefined) time.after(noticed, fail);
        return;
      }
      const serve = () => this.around.server.serve(asked);
      time.after(there, () => {
        serve().then(
          (given) => {
            note(`${given.status} ${given.code ?? ''}${back === undefined ? ', lost on its way back' : ''}`);
            const at = time.now;
            if (back !== undefined) time.after(back, () => end(() => resolve(responseOf(given, at, isCut))));
            else if (noticed !== undefined) time.after(noticed, fail);
          },
          (error: unknown) => {
            if (!(error instanceof Unanswered)) witness.fail(`the server: ${String(error)}`);
            note('no answer');
            time.after(100, fail);
          },
        );
      });
      if (twice !== undefined && writes) time.after(there + twice, () => void serve().catch(() => undefined));
    });
  }
}

function idOf({ body, shown }: Asked): string {
  return ((body?.['id'] as string | undefined) ?? shown.join()).slice(0, 8);
}

function readAsked(url: string, init: RequestInit): Asked {
  const { pathname, searchParams } = new URL(url);
  const headers = init.headers as Readonly<Record<string, string>>;
  const shown = headers['x-submission-id'];
  return {
    method: (init.method ?? 'GET') as Asked['method'],
    table: pathname.slice(pathname.lastIndexOf('/') + 1),
    shown: shown ? shown.split(',').slice(0, 20) : [],
    body: typeof init.body === 'string' ? (JSON.parse(init.body) as Record<string, unknown>) : undefined,
    ignoresDuplicates:
      searchParams.has('on_conflict') && (headers['prefer'] ?? '').includes('resolution=ignore-duplicates'),
  };
}
