import { chanceFrom, idFrom } from '../chance.ts';
import type { inGroups } from '../../server/database/group-commit.ts';
import type { Code } from './code.ts';
import type { Fault } from './faults.ts';
import { answer, Tables, type Answered, type Asked } from './model.ts';
import { DAY, type Time } from './time.ts';
import type { Witness } from './witness.ts';

type Turn = ReturnType<typeof inGroups>;

/** Error if the connection breaks before the answer. */
export class Unanswered extends Error {}

/**
 * Process and disk of the simulated server. The product’s `inGroups` syncs rows to disk before the server
 * acknowledges them. A power cut may lose all other rows.
 */
export class Server {
  #isUp = true;
  /** Rows in memory; `synced` has the rows on disk. */
  #tables = new Tables();
  synced = new Tables();
  #backup: Tables | undefined;
  /** Tables after each write since the last sync. After a power cut, any of these may be on the disk. */
  #unsynced: Tables[] = [];
  #life = {};
  #turn: Turn;
  readonly #begin: () => Turn;
  readonly #pending = new Set<() => void>();
  readonly #time: Time;
  readonly #chance: () => number;
  readonly #witness: Witness;
  readonly #fault: Fault;

  constructor(code: Code, time: Time, seed: number, witness: Witness, fault: Fault) {
    this.#time = time;
    this.#witness = witness;
    this.#chance = chanceFrom(seed);
    this.#fault = fault;
    const { inGroups } = code.server({
      globalThis: { setImmediate: (run: () => void) => time.after(0, run) },
      performance: { now: () => time.now },
    });
    const sync = () => this.#sync();
    this.#begin = () =>
      inGroups({
        sync: fault.answersBeforeSync ? async () => void sync() : sync,
        keeper: () => this.#life,
        lost: () => new Unanswered('The database began anew.'),
      });
    this.#turn = this.#begin();
  }

  async #sync(): Promise<void> {
    const life = this.#life;
    const written = new Tables(this.#tables);
    const count = this.#unsynced.length;
    await new Promise<void>((resolve) => this.#time.after(1 + this.#chance() * 40, resolve));
    if (life !== this.#life) return;
    this.synced = written;
    this.#unsynced.splice(0, count);
    this.#witness.synced(written);
  }

  /** Answers a request; rejects with `Unanswered` if the connection breaks before the answer. */
  async serve(asked: Asked): Promise<Answered> {
    if (!this.#isUp) throw new Unanswered('The server is down.');
    const writes = asked.method !== 'GET';
    const given = await new Promise<Answered>((resolve, reject) => {
      const end = () => reject(new Unanswered('The process ended.'));
      this.#pending.add(end);
      const carriedOut = this.#turn({ carryOut: async () => this.#carryOut(asked, writes), writes });
      void carriedOut.then((result) => resolve(result as Answered), reject).finally(() => this.#pending.delete(end));
    });
    this.#witness.answered(asked, given, this);
    return given;
  }

  #carryOut(asked: Asked, writes: boolean): Answered {
    const { body = {}, table } = asked;
    const isRepeated = writes && table === 'quotes' && this.#tables.quotes.has(String(body['id']));
    const twin = { ...body, id: `f${String(body['id']).slice(1)}`, peso: Number(body['peso']) + 1 };
    const done = isRepeated && this.#fault.storesTwice ? { ...asked, body: twin } : asked;
    const given = answer(this.#tables, done, this.#time.now);
    if (writes) this.#unsynced.push(new Tables(this.#tables));
    return given;
  }

  #end(): void {
    this.#isUp = false;
    this.#life = {};
    this.#turn = this.#begin();
    for (const end of this.#pending) end();
    this.#pending.clear();
  }

  /** Kills the server’s process. The operating system keeps the writes that had finished. */
  kill(): void {
    this.#end();
    this.#comeBackWith(this.#unsynced.at(-1) ?? this.synced);
  }

  /** Cuts the power. The disk keeps all synced writes and a random part of the others. */
  cutPower(): void {
    this.#end();
    const written = Math.floor(this.#chance() * (this.#unsynced.length + 1));
    this.#comeBackWith(written > 0 ? this.#unsynced[written - 1]! : this.synced);
  }

  /** Answers a recent quote as the sales team does: first with an offer, later with a message. */
  giveAnswer(chance: () => number): void {
    const { quotes, answers } = this.#tables;
    const recent = [...quotes.values()].filter(({ created_at }) => created_at > this.#time.now - DAY);
    const quote_id = recent[Math.floor(chance() * recent.length)]?.id;
    if (!quote_id) return;
    const isFirst = [...answers.values()].every((each) => each.quote_id !== quote_id);
    const offer = { kind: 'oferta', price: 4, price_for: 'total', currency: 'USD', valid_until: '2028-12-31' };
    const body = { id: idFrom(chance), quote_id, body: 'Sale el jueves.', ...(isFirst ? offer : { kind: 'mensaje' }) };
    const asked = { method: 'POST', table: 'quote_answers', isService: true, shown: [], body } as const;
    // The sales team does not repeat an answer that failed because the server is down.
    void this.serve(asked).catch(() => undefined);
  }

  start(): void {
    this.#isUp = true;
  }

  backUp(): void {
    this.#backup = new Tables(this.synced);
  }

  restore(): void {
    if (!this.#backup) return;
    this.kill();
    this.#comeBackWith(this.#backup);
  }

  #comeBackWith(tables: Tables): void {
    this.#tables = new Tables(tables);
    this.synced = new Tables(tables);
    this.#unsynced = [];
    this.#witness.synced(this.synced);
  }
}
