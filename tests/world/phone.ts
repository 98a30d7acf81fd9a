import { createHash } from 'node:crypto';
import { SYNC_TAG, WAITING_MARK } from '../../src/agreements.ts';
import { chanceFrom } from '../chance.ts';
import type { Code, PageCode, Surroundings, WorkerCode } from './code.ts';
import type { Disk, Disks } from './disk.ts';
import { passageOn, portalResponse, responseOf, type Line, type WorldResponse } from './line.ts';
import { Locks, type Asker } from './locks.ts';
import type { Asked } from './model.ts';
import { mathOf, Unanswered, type Server } from './server.ts';
import { MINUTE, SECOND, type Task, type Time } from './time.ts';
import type { Witness } from './witness.ts';

/** What a browser is able to. `plain`: an address without https, that has neither worker nor Web Locks. */
export type Engine = 'chromium' | 'webkit' | 'plain';

/** What a phone is in. */
export interface Around {
  readonly code: Code;
  readonly time: Time;
  readonly disks: Disks;
  readonly server: Server;
  readonly witness: Witness;
  readonly trace: (line: () => string) => void;
}

type Listeners = Map<string, Set<(event: object) => void>>;

/** A page or a worker: it has the code to itself, and finds its phone around it. */
export class Realm implements Asker {
  readonly phone: Phone;
  readonly name: string;
  readonly listeners: Listeners = new Map();
  isAlive = true;
  isVisible = true;
  /** What happens to a frozen page happens when it thaws. */
  #frozen: (() => void)[] | undefined;
  readonly #end: (isKilled: boolean) => void;
  readonly surroundings: Surroundings;

  constructor(phone: Phone, name: string, own: (realm: Realm) => Surroundings) {
    this.phone = phone;
    this.name = name;
    const { indexedDB, end } = phone.disk.connect(() => this.isAlive);
    this.#end = end;
    const { time, disks } = phone.around;
    const began = time.now;
    const setTimeout = (run: () => void, wait = 0) => this.isAlive && time.after(wait, () => this.turn(run));
    const clearTimeout = (task: Task | undefined | false) => void (task && (task.run = undefined));
    const location = { origin: 'https://aeropuente.example', hash: '' };
    const listen = (type: string, run: (event: object) => void) => {
      if (!this.listeners.has(type)) this.listeners.set(type, new Set());
      this.listeners.get(type)!.add(run);
    };
    const self = {
      location,
      addEventListener: listen,
      ...(phone.mayNotify && phone.engine !== 'plain' && { Notification: { permission: 'granted' } }),
    };
    const chance = phone.chance;
    const setImmediate = (run: () => void) => time.after(0, () => this.turn(run));
    this.surroundings = {
      ...disks.names,
      self,
      window: self,
      location,
      indexedDB,
      setTimeout,
      clearTimeout,
      setImmediate,
      addEventListener: listen,
      removeEventListener: (type: string, run: (event: object) => void) => this.listeners.get(type)?.delete(run),
      dispatchEvent: () => true,
      fetch: (input: string | URL, init: RequestInit) => phone.fetch(this, String(input), init),
      BroadcastChannel: channelOf(this),
      AbortSignal: {
        timeout: (wait: number) => {
          const listeners: (() => void)[] = [];
          const signal = {
            aborted: false,
            reason: undefined as unknown,
            addEventListener: (_type: string, run: () => void) => listeners.push(run),
          };
          setTimeout(() => {
            signal.aborted = true;
            signal.reason = new DOMException('It took too long.', 'TimeoutError');
            for (const run of listeners.splice(0)) run();
          }, wait);
          return signal;
        },
      },
      crypto: {
        randomUUID: () => idFrom(chance),
        // The real one comes from another thread, when it likes.
        subtle: { digest: async (_: string, bytes: Uint8Array) => createHash('sha256').update(bytes).digest().buffer },
      },
      Date: phone.Date,
      Math: mathOf(chance),
      performance: { now: () => time.now - began },
      Notification: { permission: phone.mayNotify ? 'granted' : 'default' },
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
    this.turn(() => {
      for (const run of this.listeners.get(type) ?? []) run({});
    });
  }

  freeze(): void {
    this.#frozen ??= [];
  }

  thaw(): void {
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
    readonly #listeners = new Set<(event: object) => void>();
    readonly realm = realm;
    constructor() {
      channels.add(this);
    }
    addEventListener(_type: string, run: (event: object) => void) {
      this.#listeners.add(run);
    }
    hear() {
      realm.turn(() => {
        for (const run of this.#listeners) run({ data: null });
      });
    }
    postMessage() {
      if (!realm.isAlive) return;
      for (const other of channels) if (other !== this) around.time.after(1, () => other.hear());
    }
    close() {
      channels.delete(this);
    }
  };
}

export function idFrom(chance: () => number): string {
  const digits = (many: number) =>
    Math.floor(chance() * 16 ** many)
      .toString(16)
      .padStart(many, '0');
  return `${digits(8)}-${digits(4)}-4${digits(3)}-8${digits(3)}-${digits(8)}${digits(4)}`;
}

/** A page of the phone, with what its person has done in it. */
export interface Page {
  readonly realm: Realm;
  readonly code: PageCode;
  /** The form has woken: it is there that sending begins by itself. */
  isAwake: boolean;
  isBusy: boolean;
}

export class Phone {
  readonly around: Around;
  readonly number: number;
  readonly engine: Engine;
  readonly mayNotify: boolean;
  readonly address: string;
  readonly chance: () => number;
  readonly disk: Disk;
  readonly locks: Locks;
  readonly channels = new Set<{ hear(): void; readonly realm: Realm }>();
  readonly localStorage = new Map<string, string>();
  readonly Date: DateConstructor;
  line: Line = 'good';
  /** Milliseconds that its clock is ahead. */
  ahead = 0;
  /** Its disk was full a moment ago, so that something may be sent that it does not keep. */
  wasFull = false;
  killedAt = -Infinity;
  pages: Page[] = [];
  #worker: { readonly realm: Realm; readonly code: WorkerCode } | undefined;
  #workerUses = 0;
  #sync: { tries: number; alarm: Task | undefined } | undefined;
  #opened = 0;

  constructor(around: Around, number: number, seed: number) {
    this.around = around;
    this.number = number;
    this.chance = chanceFrom(seed);
    const roll = this.chance();
    this.engine = roll < 0.5 ? 'chromium' : roll < 0.75 ? 'webkit' : 'plain';
    this.mayNotify = this.chance() < 0.5;
    // Carriers put several phones behind one address.
    this.address = this.chance() < 0.5 ? '192.0.2.1' : `192.0.2.${number + 2}`;
    this.disk = around.disks.create(around.time);
    this.locks = new Locks(around.time);
    if (this.chance() < 0.3) this.setClock();
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
    return Math.floor(this.around.time.now) + this.ahead;
  }

  setClock(): void {
    const { chance } = this;
    const by = [5 * SECOND, 10 * MINUTE, 26 * 60 * MINUTE, 400 * 24 * 60 * MINUTE][Math.floor(chance() * 4)]!;
    this.ahead = chance() < 0.3 ? 0 : Math.floor((chance() - 0.5) * 2 * by);
  }

  get realms(): readonly Realm[] {
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
      document: {
        get visibilityState() {
          return own.isVisible ? 'visible' : 'hidden';
        },
        addEventListener: (type: string, run: (event: object) => void) => {
          if (!own.listeners.has(type)) own.listeners.set(type, new Set());
          own.listeners.get(type)!.add(run);
        },
      },
      navigator: this.#navigator(own),
      localStorage: this.#storage(),
      sessionStorage: this.#storage(),
    }));
    const page: Page = { realm, code: code.page(realm.surroundings), isAwake: false, isBusy: false };
    this.pages.push(page);
    trace(() => `${realm.name} opens, ${this.engine}`);
    this.around.witness.hear(page);
    // As src/landing/client.ts: what waits is sent before the rest is fetched.
    if (this.localStorage.has(WAITING_MARK)) {
      void page.code.outbox.flush('sign-of-life').catch(() => undefined);
      this.wake(page);
    }
    return page;
  }

  /** The form comes into view. */
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

  /** The browser is killed, and with it its worker. */
  kill(): void {
    this.around.trace(() => `phone ${this.number}: its browser is killed`);
    for (const realm of this.realms) realm.end(true);
  }

  cutBattery(): void {
    this.around.trace(() => `phone ${this.number}: its battery ends`);
    for (const realm of this.realms) realm.end(true);
    this.disk.cut(this.chance);
    if (this.#sync) this.#tryLater(MINUTE);
  }

  setLine(line: Line): void {
    const before = this.line;
    this.line = line;
    this.around.trace(() => `phone ${this.number}: line ${line}`);
    if (line === 'none' || before !== 'none') return;
    for (const { realm } of this.pages) realm.say('online');
    if (this.#sync) this.#tryLater(this.chance() * 5 * SECOND);
  }

  #storage() {
    return {
      getItem: (name: string) => this.localStorage.get(name) ?? null,
      setItem: (name: string, value: string) => void this.localStorage.set(name, value),
      removeItem: (name: string) => void this.localStorage.delete(name),
    };
  }

  #navigator(realm: Realm): object {
    if (this.engine === 'plain') return { onLine: true };
    return {
      onLine: true,
      locks: {
        request: (_name: string, options: object, work: () => unknown) =>
          realm.isAlive ? this.locks.request(realm, options, work) : new Promise(() => {}),
      },
      serviceWorker: {
        ready: Promise.resolve(this.#registration),
        getRegistration: async () => this.#registration,
        controller: {
          postMessage: () =>
            void this.around.time.after(
              5,
              () => void this.#work((code) => code.deliverWaiting({})).catch(() => undefined),
            ),
        },
      },
    };
  }

  // The worker

  get #registration() {
    return {
      active: true,
      showNotification: async (title: string) => this.around.witness.notified(this, title),
      ...(this.engine === 'chromium' && {
        sync: { register: async (tag: string) => this.#registerSync(tag) },
        periodicSync: { register: async () => undefined },
      }),
    };
  }

  async #work(job: (code: WorkerCode) => Promise<unknown>): Promise<void> {
    const worker = (this.#worker ??= this.#startWorker());
    this.#workerUses += 1;
    const uses = this.#workerUses;
    try {
      await job(worker.code);
    } finally {
      // One that has nothing to do is ended after a while.
      this.around.time.after(30 * SECOND, () => uses === this.#workerUses && worker.realm.end(false));
    }
  }

  #startWorker() {
    const realm = new Realm(this, `worker ${this.number}`, (own) => {
      const self = {
        location: { origin: 'https://aeropuente.example' },
        registration: this.#registration,
        clients: {
          matchAll: async () =>
            this.pages.map((page) => ({ visibilityState: page.realm.isVisible ? 'visible' : 'hidden' })),
        },
      };
      return { self, window: undefined, navigator: this.#navigator(own) };
    });
    return { realm, code: this.around.code.worker(realm.surroundings) };
  }

  async #registerSync(tag: string): Promise<void> {
    if (tag !== SYNC_TAG) return;
    this.#sync ??= { tries: 0, alarm: undefined };
    this.#sync.tries = 0;
    if (this.line !== 'none') this.#tryLater(this.chance() * 2 * SECOND);
  }

  #tryLater(wait: number): void {
    const sync = this.#sync!;
    if (sync.alarm) sync.alarm.run = undefined;
    sync.alarm = this.around.time.after(wait, () => this.#fireSync(sync));
  }

  /** Chromium tries thrice: at once, after 5 and after 20 minutes. */
  #fireSync(sync: { tries: number; alarm: Task | undefined }): void {
    if (this.line === 'none' || this.#sync !== sync) return;
    sync.tries += 1;
    const lastChance = sync.tries >= 3;
    this.around.trace(() => `phone ${this.number}: sync ${sync.tries}`);
    void this.#work((code) => code.deliverWaiting({ again: lastChance ? SYNC_TAG : undefined })).then(
      () => {
        if (this.#sync === sync) this.#sync = undefined;
      },
      () => {
        if (this.#sync !== sync) return;
        if (lastChance && sync.tries >= 3) this.#sync = undefined;
        else if (sync.tries > 0) this.#tryLater(sync.tries === 1 ? 5 * MINUTE : 20 * MINUTE);
      },
    );
  }

  lookForAnswers(): void {
    if (this.engine !== 'plain') void this.#work((code) => code.lookForAnswers()).catch(() => undefined);
  }

  // The line

  fetch(realm: Realm, input: string, init: RequestInit): Promise<WorldResponse> {
    const { time, witness, trace } = this.around;
    const asked = readAsked(input, init, this.address);
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
      const { there, back, noticed, twice, portal, isCut } = passage;
      const name = () =>
        `${realm.name} ${asked.method} ${asked.table} ${(idIn(asked) ?? asked.shown.join()).slice(0, 8)}`;
      if (there === undefined) {
        trace(() => `${name()}: lost on its way${portal ? `, to a portal's ${portal}` : ''}`);
        if (noticed === undefined) return;
        time.after(noticed, () => {
          if (!portal || portal === 'redirect') fail();
          else end(() => resolve(portalResponse(portal)));
        });
        return;
      }
      time.after(there, () => {
        this.around.server.serve(asked).then(
          (given) => {
            trace(
              () =>
                `${name()}: ${given.status} ${given.code ?? ''}${back === undefined ? ', lost on its way back' : ''}`,
            );
            if (back === undefined) {
              if (noticed !== undefined) time.after(noticed, fail);
            } else {
              const at = time.now;
              time.after(back, () => end(() => resolve(responseOf(given, at, isCut))));
            }
          },
          (error: unknown) => {
            if (!(error instanceof Unanswered)) witness.fail(`the server: ${String(error)}`);
            trace(() => `${name()}: no answer`);
            time.after(100, fail);
          },
        );
      });
      if (twice !== undefined && writes)
        time.after(there + twice, () => {
          trace(() => `${name()}: a second time`);
          void this.around.server.serve(asked).catch(() => undefined);
        });
    });
  }
}

function idIn({ body }: Asked): string | undefined {
  return body?.['id'] as string | undefined;
}

function readAsked(url: string, init: RequestInit, address: string): Asked {
  const end = url.indexOf('?');
  const table = url.slice(url.lastIndexOf('/', end < 0 ? undefined : end) + 1, end < 0 ? undefined : end);
  const headers = init.headers as Readonly<Record<string, string>>;
  const shown = headers['x-submission-id'];
  return {
    method: (init.method ?? 'GET') as Asked['method'],
    table,
    shown: shown ? shown.split(',').slice(0, 20) : [],
    body: typeof init.body === 'string' ? (JSON.parse(init.body) as Record<string, unknown>) : undefined,
    address,
    ignoresDuplicates:
      url.includes('on_conflict=') && (headers['prefer'] ?? '').includes('resolution=ignore-duplicates'),
  };
}
