import { chanceFrom } from '../chance.ts';
import { folioOf } from '../../src/lead/folio.ts';
import type { Quote } from '../../src/lead/quote.ts';
import { isWaiting, readEntry, type Entry } from '../../src/outbox/entry.ts';
import type { Code } from './code.ts';
import { Desk } from './desk.ts';
import { Disks } from './disk.ts';
import type { Line } from './line.ts';
import { idFrom, Phone, type Page } from './phone.ts';
import type { Deed, Plan, Planned, Turn } from './plan.ts';
import { Server, type ServerFaults } from './server.ts';
import { BEGIN, HOUR, MINUTE, SECOND, Time } from './time.ts';
import { Witness } from './witness.ts';

export interface Ended {
  readonly failures: readonly string[];
  readonly trace: readonly string[];
  readonly steps: number;
  readonly counts: Witness['counts'];
}

/** So long after the line became fair everything has to be at rest. */
const PATIENCE = 3 * HOUR;

/** Lives through a plan, and then until everything is at rest. */
export async function live(
  plan: Plan,
  code: Code,
  { traced = false, faults = {} }: { readonly traced?: boolean; readonly faults?: ServerFaults } = {},
): Promise<Ended> {
  return new World(plan, code, traced, faults).live();
}

class World {
  readonly #plan: Plan;
  readonly #time = new Time();
  readonly #lines: string[] = [];
  readonly #witness: Witness;
  readonly #server: Server;
  readonly #desk: Desk;
  readonly #phones: ReadonlyMap<number, Phone>;
  readonly #typed = new Map<number, Quote[]>();
  readonly #trace: (line: () => string) => void;
  #isOver = false;

  constructor(plan: Plan, code: Code, traced: boolean, faults: ServerFaults) {
    this.#plan = plan;
    const time = this.#time;
    this.#trace = traced
      ? (line) => void this.#lines.push(`${((time.now - BEGIN) / 1000).toFixed(3).padStart(11)} ${line()}`)
      : () => undefined;
    const trace = this.#trace;
    this.#witness = new Witness(trace);
    this.#server = new Server(code, time, plan.seed, this.#witness, faults);
    if (chanceFrom(plan.seed + 1)() < 0.3) this.#server.most = 3;
    this.#desk = new Desk(this.#server, time, trace);
    const around = { code, time, disks: new Disks(code, time), server: this.#server, witness: this.#witness, trace };
    this.#phones = new Map(
      plan.phones.map((number) => [number, new Phone(around, number, (plan.seed * 31 + number * 7919) >>> 0)]),
    );
  }

  async live(): Promise<Ended> {
    const time = this.#time;
    for (const event of this.#plan.events) time.after(event.at, () => this.#happen(event));
    for (let at = HOUR; at < this.#plan.length; at += HOUR) time.after(at, () => this.#look());
    time.after(this.#plan.length, () => this.#becomeFair());
    const give = (reason: unknown) => {
      // What is broken off with a page that is killed has nobody any more to catch it.
      const isKilled = [...this.#phones.values()].some(({ killedAt }) => killedAt > time.now - SECOND);
      if (!isKilled || (reason as Error).name !== 'AbortError') this.#witness.fail(`nobody caught ${String(reason)}`);
    };
    process.on('unhandledRejection', give);
    try {
      await time.run(() => this.#isOver);
    } finally {
      process.off('unhandledRejection', give);
    }
    return {
      failures: this.#witness.failures,
      trace: this.#lines,
      steps: time.steps,
      counts: this.#witness.counts,
    };
  }

  /** A word that comes back to a restored server has been late for long: its alert has a while to get through. */
  #look(): void {
    const untold = this.#server.untold();
    if (untold.length > 0)
      this.#time.after(15 * MINUTE, () => {
        for (const each of this.#server.untold())
          if (untold.includes(each)) this.#witness.fail(`lead ${each} passed its two hours, and nobody was told`);
      });
  }

  // How it ends

  /** From here on nothing goes wrong any more: each phone is opened once, and looked at. */
  #becomeFair(): void {
    const server = this.#server;
    this.#trace(() => 'from here on all is well');
    server.weather = 'fine';
    server.most = 0;
    server.start();
    for (const phone of this.#phones.values()) {
      phone.disk.isFull = false;
      for (const page of phone.pages) phone.close(page);
      phone.setLine('good');
      const page = phone.open();
      this.#time.after(30 * SECOND, () => phone.wake(page));
    }
    this.#time.after(2 * MINUTE, () => this.#await(this.#time.now));
  }

  #await(since: number): void {
    const phones = [...this.#phones.values()];
    const waiting = this.#witness.waiting(phones);
    const missing = waiting.length > 0 ? [] : this.#wrong();
    if (waiting.length + missing.length > 0 && this.#time.now - since < PATIENCE)
      return void this.#time.after(5 * MINUTE, () => this.#await(since));
    for (const each of waiting) this.#witness.fail(`never at rest: ${each}`);
    for (const each of missing) this.#witness.fail(each);
    this.#isOver = true;
  }

  #wrong(): readonly string[] {
    return [
      ...this.#witness.missing(this.#server),
      ...this.#witness.missingReplies(this.#server),
      ...this.#server.untold().map((each) => `nobody was told of lead ${each}`),
    ];
  }

  // What happens

  #happen(event: Planned): void {
    const chance = chanceFrom(event.seed);
    if (event.phone === undefined) return this.#happenToServer(event.deed, chance);
    const phone = this.#phones.get(event.phone);
    if (phone) this.#happenTo(phone, event.deed, chance);
  }

  #happenTo(phone: Phone, deed: Deed, chance: () => number): void {
    const visible = phone.pages.filter(({ realm }) => realm.isVisible);
    const page = () => visible[Math.floor(chance() * visible.length)] ?? phone.open();
    switch (deed) {
      case 'open': {
        if (phone.pages.length >= 3) return;
        const opened = phone.open();
        if (chance() < 0.5) this.#time.after(chance() * SECOND, () => opened.realm.turn(() => phone.wake(opened)));
        return;
      }
      case 'send':
        return this.#send(page(), this.#type(phone, chance));
      case 'send again': {
        const before = this.#typed.get(phone.number)?.at(-1);
        return this.#send(page(), before ? { ...before, id: idFrom(chance) } : this.#type(phone, chance));
      }
      case 'send odd':
        return this.#send(page(), { ...this.#type(phone, chance), peso: 2_000_000 });
      case 'send and go': {
        const opened = page();
        const quote = this.#type(phone, chance);
        this.#send(opened, quote);
        this.#time.after(chance() * 40, () =>
          chance() < 0.5 ? opened.realm.isAlive && phone.close(opened) : phone.kill(),
        );
        // What was not seen to be kept is pressed again: its draft has the same id.
        this.#time.after(10 * SECOND, () => this.#send(phone.pages[0] ?? phone.open(), quote));
        return;
      }
      case 'send twice': {
        const quote = this.#type(phone, chance);
        const other = phone.pages.length < 3 ? phone.open() : page();
        this.#send(page(), quote);
        const wait = chance() * 100;
        this.#time.after(wait, () =>
          this.#send(other, chance() < 0.5 ? quote : { ...quote, nombre: `${quote.nombre} B` }),
        );
        return;
      }
      case 'send and change': {
        // Where the answer to the first is lost, only the server knows which text it has.
        const quote = this.#type(phone, chance);
        if (chance() < 0.7) phone.setLine('lossy');
        const opened = page();
        this.#send(opened, quote);
        const changed = { ...quote, peso: quote.peso + 1 };
        this.#time.after(6 * SECOND + chance() * 20 * SECOND, () => {
          const now = this.#entries(phone).find(({ id }) => id === quote.id)?.state.kind;
          if (now === 'waiting') this.#send(opened, changed, { corrects: true });
        });
        return;
      }
      case 'correct':
        return this.#correct(page(), chance);
      case 'look':
        return this.#lookAt(page(), chance);
      case 'accept':
        return this.#reply(page(), 'aceptada', chance);
      case 'ask':
        return this.#reply(page(), 'pregunta', chance);
      case 'details':
        return this.#reply(page(), 'detalles', chance);
      case 'remove':
        return this.#remove(page(), chance);
      case 'close':
        for (const each of phone.pages) phone.close(each);
        return;
      case 'hide':
      case 'show':
        for (const { realm } of phone.pages) {
          realm.isVisible = deed === 'show';
          realm.say('visibilitychange');
        }
        return;
      case 'freeze':
      case 'thaw':
        for (const { realm } of phone.pages) realm[deed]();
        return;
      case 'kill':
        return phone.kill();
      case 'battery':
        return phone.cutBattery();
      case 'fill disk':
        phone.disk.isFull = true;
        phone.wasFull = true;
        return;
      case 'free disk':
        phone.disk.isFull = false;
        this.#time.after(MINUTE, () => (phone.wasFull = phone.disk.isFull));
        return;
      case 'clock':
        return phone.setClock();
      case 'line':
        return phone.setLine(LINES[Math.floor(chance() * LINES.length)]!);
      case 'come home':
        return phone.setLine('good');
      case 'wake worker':
        return phone.lookForAnswers();
    }
  }

  #happenToServer(deed: Turn, chance: () => number): void {
    const server = this.#server;
    if (deed !== 'desk') this.#trace(() => `server: ${deed}`);
    switch (deed) {
      case 'kill':
        return server.kill();
      case 'power':
        return server.cutPower();
      case 'start':
        return server.start();
      case 'busy':
        server.weather = 'busy';
        return;
      case 'lock out':
        server.weather = 'locked-out';
        return;
      case 'fine':
        server.weather = 'fine';
        return;
      case 'back up':
        return server.backUp();
      case 'restore':
        server.restore();
        return;
      case 'desk':
        return void this.#desk.work(chance);
      case 'erase':
        return void this.#desk.erase(chance);
    }
  }

  // What people do

  #type(phone: Phone, chance: () => number): Quote {
    const all = this.#typed.get(phone.number) ?? [];
    const mark = `${phone.number}-${all.length}`;
    const quote: Quote = {
      id: idFrom(chance),
      nombre: `María ${mark}`,
      empresa: `Berries ${mark}`,
      email: `Ventas${mark}@berries.mx`.toLowerCase(),
      telefono: '+52 998 765 4321',
      peso: 100 + Math.floor(chance() * 10_000),
      tipo_carga: 'perecederos',
    };
    this.#typed.set(phone.number, [...all, quote]);
    return quote;
  }

  #send(page: Page, quote: Quote, about: { corrects?: boolean; replaced?: string | undefined } = {}): void {
    const { realm, code } = page;
    const { phone } = realm;
    if (!realm.isAlive || page.isBusy) return;
    phone.wake(page);
    page.isBusy = true;
    realm.isVisible = true;
    let kept: Entry | undefined;
    this.#witness.meant(quote.id);
    this.#trace(() => `${realm.name} is pressed: ${quote.id.slice(0, 8)} ${quote.empresa}`);
    const given = { corrects: about.corrects ?? false, replaced: about.replaced };
    void code
      .submitQuote(quote, given, (entry) => {
        kept = entry;
        // Pressed with the draft of another text that is kept already: a quote of its own, under a new id.
        if (entry.id !== quote.id && !this.#witness.keepsAs(quote)) this.#witness.meant(entry.id);
        this.#witness.kept(realm, entry, given.corrects);
      })
      .then(
        (ending) => {
          page.isBusy = false;
          this.#witness.ended(realm, kept?.quote ?? quote, kept?.id ?? quote.id, ending);
        },
        (error: unknown) => {
          page.isBusy = false;
          if (realm.isAlive) this.#witness.fail(`a press of the form ended with ${String(error)}`);
        },
      );
  }

  #entries(phone: Phone): readonly Entry[] {
    return phone.disk.entries().map(readEntry);
  }

  #correct(page: Page, chance: () => number): void {
    const { phone } = page.realm;
    const entries = this.#entries(phone).filter(({ quote }) => quote);
    const entry = entries[Math.floor(chance() * entries.length)];
    if (!entry) return;
    const { state, quote } = entry;
    const changed = { ...quote!, peso: 100 + Math.floor(chance() * 10_000) };
    // As its receipt offers it, of this release or an earlier one that is open still (src/receipts/Receipt.tsx).
    const isDelivered = state.kind === 'delivered' || (state.kind === 'refused' && state.refusal.kind === 'superseded');
    if (!isDelivered) return this.#send(page, changed, { corrects: true });
    const replaced = { ...changed, id: idFrom(chance), reemplaza: folioOf(entry.id) };
    this.#send(page, replaced, { replaced: entry.id });
  }

  /** What is shown of an answer is seen: the phone says so. */
  #lookAt(page: Page, chance: () => number): void {
    for (const { id: quoteId, answers, replies } of this.#entries(page.realm.phone))
      for (const { id: answerId } of answers)
        if (!replies.some((reply) => reply.answerId === answerId))
          void page.code
            .submitReply(quoteId, { id: idFrom(chance), answerId, kind: 'vista', body: '' })
            .catch(() => undefined);
  }

  #reply(page: Page, kind: 'aceptada' | 'pregunta' | 'detalles', chance: () => number): void {
    const { phone } = page.realm;
    const open = this.#entries(phone).flatMap((entry) =>
      entry.state.kind === 'delivered' && entry.quote
        ? entry.answers
            .filter(({ state }) => kind !== 'aceptada' || state === 'vigente')
            .map((answer) => ({ entry, answer }))
        : [],
    );
    const chosen = open[Math.floor(chance() * open.length)];
    if (!chosen) return;
    const { entry, answer } = chosen;
    phone.wake(page);
    const reply = {
      id: idFrom(chance),
      answerId: answer.id,
      kind,
      body: kind === 'pregunta' ? '¿Y el viernes?' : '',
      ...(kind === 'detalles' && { details: { producto: 'Fresas' } }),
    };
    this.#trace(() => `${page.realm.name}: ${kind} ${reply.id.slice(0, 8)} of ${entry.id.slice(0, 8)}`);
    void page.code.submitReply(entry.id, reply).then(
      (how) => {
        if (how === 'kept' && page.realm.isAlive) this.#witness.replied(phone, entry.id, reply);
      },
      () => undefined,
    );
  }

  #remove(page: Page, chance: () => number): void {
    const waiting = this.#entries(page.realm.phone).filter(isWaiting);
    const entry = waiting[Math.floor(chance() * waiting.length)];
    if (!entry) return;
    void page.code.outbox.remove(entry.id).then(
      (removed) => removed && this.#witness.removed(entry.id),
      () => undefined,
    );
  }
}

const LINES: readonly Line[] = ['good', 'good', 'good', 'slow', 'slow', 'lossy', 'lossy', 'none', 'portal'];
