import { chanceFrom } from '../chance.ts';
import type { Code, ServerCode } from './code.ts';
import {
  answer,
  claimAlerts,
  isOpen,
  PROMISE,
  SERVICE,
  Tables,
  type Alert,
  type Answered,
  type Asked,
} from './model.ts';
import { MINUTE, SECOND, type Time } from './time.ts';
import type { Witness } from './witness.ts';

type Turn = ReturnType<ServerCode['inGroups']>;

/** The line breaks off before there is an answer. */
export class Unanswered extends Error {}

/** What is done wrong on purpose, to see that the world notices. */
export interface ServerFaults {
  /** Two requests with one id are stored as two. */
  readonly storesTwice?: boolean;
  readonly forgetsErased?: boolean;
  readonly showsBlocked?: boolean;
  readonly calmsClock?: boolean;
}

/**
 * The server's process and its disk. What is answered as written has been synced by the shipped `inGroups`; a power cut
 * takes what was not, or a part of it.
 */
export class Server {
  isUp = true;
  /** Each request meanwhile is answered so. */
  weather: 'fine' | 'busy' | 'locked-out' = 'fine';
  /** Of each kind from one address within an hour; 0: as many as come. */
  most = 60;
  upSince: number;
  /** What is carried out, and what of it is on disk. */
  tables = new Tables();
  synced = new Tables();
  /** Ids that are in no file any more. It lies beside the database, and no backup brings it back. */
  readonly erased = new Set<string>();
  #backup: Tables | undefined;
  /** As the disk may have it: after each write since the last sync. */
  #unsynced: Tables[] = [];
  #life = {};
  #turn: Turn;
  #begin: () => Turn;
  readonly #under = new Set<() => void>();
  readonly #time: Time;
  readonly #chance: () => number;
  readonly #witness: Witness;
  readonly #code: ServerCode;
  readonly #faults: ServerFaults;
  readonly #messages = new Map<string, { readonly alert: Alert; at: number | undefined; attempts: number }>();

  constructor(code: Code, time: Time, seed: number, witness: Witness, faults: ServerFaults) {
    this.#time = time;
    this.#witness = witness;
    this.#chance = chanceFrom(seed);
    this.#faults = faults;
    this.upSince = time.now;
    const setImmediate = (run: () => void) => time.after(0, run);
    this.#code = code.server({
      globalThis: { setImmediate },
      performance: { now: () => time.now },
      Math: mathOf(this.#chance),
      Date,
    });
    this.#begin = () =>
      this.#code.inGroups({
        sync: () => this.#sync(),
        keeper: () => this.#life,
        lost: () => new Unanswered('The database began anew.'),
      });
    this.#turn = this.#begin();
  }

  async #sync(): Promise<void> {
    const life = this.#life;
    const written = new Tables(this.tables);
    const many = this.#unsynced.length;
    await new Promise<void>((resolve) => this.#time.after(1 + this.#chance() * 40, resolve));
    if (life !== this.#life) return;
    this.synced = written;
    this.#unsynced.splice(0, many);
    this.#witness.synced(written);
  }

  /** Rejects where the line to it ends before it answers. */
  async serve(asked: Asked): Promise<Answered> {
    if (!this.isUp) throw new Unanswered('Nobody listens.');
    if (this.weather === 'busy') return { status: 503, code: 'PT503', message: 'Too busy', retryAfter: 10 };
    if (this.weather === 'locked-out') return { status: 401, code: '42501', message: 'permission denied' };
    const writes = asked.method !== 'GET';
    const given = await new Promise<Answered>((resolve, reject) => {
      const end = () => reject(new Unanswered('The process ended.'));
      this.#under.add(end);
      const carriedOut = this.#turn({ carryOut: async () => this.#carryOut(asked, writes), writes });
      void carriedOut.then((result) => resolve(result as Answered), reject).finally(() => this.#under.delete(end));
    });
    this.#witness.answered(asked, given, this);
    return given;
  }

  #carryOut(asked: Asked, writes: boolean): Answered {
    const faults = this.#faults;
    let body = asked.body;
    if (
      faults.storesTwice &&
      asked.table === 'quotes' &&
      asked.method === 'POST' &&
      this.tables.quotes.has(String(body!['id']))
    )
      body = { ...body, id: twinOf(String(body!['id'])), peso: Number(body!['peso']) + 1 };
    const given = answer(this.tables, body === asked.body ? asked : { ...asked, body }, this.#time.now, this.most);
    if (!writes) {
      const shown = faults.showsBlocked ? this.#withBlocked(asked, given) : given;
      this.#witness.showed(asked, shown, this);
      return shown;
    }
    this.#unsynced.push(new Tables(this.tables));
    this.#wakeAlerts();
    return given;
  }

  #withBlocked(asked: Asked, given: Answered): Answered {
    if (asked.table !== 'quote_words') return given;
    const rows = [...this.tables.answers.values()].filter(({ quote_id }) => asked.shown.includes(quote_id));
    return { ...given, rows: rows.map((row) => ({ ...row, state: null })) };
  }

  // Alerts, by the shipped sender

  #alarm: { at: number; run: (() => void) | undefined } | undefined;

  /** The real one looks every two seconds; here it is woken when something is due. */
  #wakeAlerts(): void {
    const waits = [
      ...this.tables.alerts.flatMap(({ spread_at, due_at }) => (spread_at === null ? due_at : [])),
      ...[...this.#messages.values()].flatMap(({ at }) => at ?? []),
    ];
    if (waits.length === 0 || !this.isUp) return;
    const at = Math.max(this.#time.now, Math.min(...waits)) + 2 * SECOND;
    if (this.#alarm?.run && this.#alarm.at <= at) return;
    if (this.#alarm) this.#alarm.run = undefined;
    this.#alarm = this.#time.after(at - this.#time.now, () => void this.#sendAlerts());
  }

  async #sendAlerts(): Promise<void> {
    if (!this.isUp) return;
    const life = this.#life;
    const { sendDue } = this.#code;
    const now = () => this.#time.now;
    await sendDue({
      now,
      store: {
        claim: async (at) => {
          const claimed = this.#faults.calmsClock
            ? claimAlerts(this.tables, at.getTime()).filter(({ kind }) => kind !== 'tarde')
            : claimAlerts(this.tables, at.getTime());
          for (const alert of claimed)
            this.#messages.set(`${alert.quote_id} ${alert.kind} ${alert.asked_at} ${alert.about}`, {
              alert,
              at: at.getTime(),
              attempts: 0,
            });
          const due = [...this.#messages].filter(
            ([, message]) => message.at !== undefined && message.at <= at.getTime(),
          );
          return due.map(([message_id, message]) => {
            message.attempts += 1;
            message.at = at.getTime() + 2 * MINUTE;
            const { quote_id, kind } = message.alert;
            return {
              message_id,
              way: 'push',
              endpoint: 'https://push',
              p256dh: '',
              auth: '',
              kind: kind as 'nueva',
              folio: '',
              quote_id,
              promised_at: '',
              attempts: message.attempts,
              leads: 1,
            };
          });
        },
        settle: async (id, _at, outcome, again) => {
          const message = this.#messages.get(id);
          // What a process hears after its end it notes nowhere: the next one sends again.
          if (!message || life !== this.#life) return;
          message.at = again?.getTime();
          if (outcome.kind === 'sent') this.#witness.alerted(message.alert);
        },
      },
      push: () =>
        new Promise((resolve) => {
          this.#time.after(100 + this.#chance() * 2000, () =>
            resolve(this.#chance() < 0.9 ? { kind: 'sent' } : { kind: 'again', why: 'busy' }),
          );
        }),
    }).catch(() => undefined);
    if (life === this.#life) this.#wakeAlerts();
  }

  /** Leads that passed their two hours a while ago, with nobody told. */
  untold(): readonly string[] {
    const { now } = this.#time;
    return [...this.tables.leads.values()].flatMap((lead) => {
      const late = lead.asked_at + PROMISE + 10 * MINUTE;
      if (!this.isUp || !isOpen(lead) || lead.blocked || now < late || now - this.upSince < 15 * MINUTE) return [];
      return this.#witness.wasAlerted(lead, this.tables) ? [] : `${lead.quote_id} of ${lead.asked_at}`;
    });
  }

  // Its ends

  #end(): void {
    this.isUp = false;
    this.#life = {};
    this.#turn = this.#begin();
    for (const end of this.#under) end();
    this.#under.clear();
  }

  kill(): void {
    this.#end();
    // What the process had written is the system's, and is there when it starts again.
    this.synced = this.#unsynced.at(-1) ?? this.synced;
    this.#comeBackWith(this.synced);
  }

  /** The disk keeps what was synced, and of the rest whatever it had written by then. */
  cutPower(): void {
    this.#end();
    const kept = Math.floor(this.#chance() * (this.#unsynced.length + 1));
    this.#comeBackWith(kept > 0 ? this.#unsynced[kept - 1]! : this.synced);
  }

  backUp(): void {
    this.#backup = new Tables(this.synced);
  }

  /** What came since the backup is gone, and what was erased is erased again. */
  restore(): void {
    if (!this.#backup) return;
    this.kill();
    this.#comeBackWith(this.#backup);
  }

  /** As `eraseAgain`, at each start. */
  #eraseAgain(tables: Tables): void {
    for (const id of this.#faults.forgetsErased ? [] : this.erased) {
      const lead = tables.leads.get(id);
      if (lead) tables.leads.set(id, { ...lead, blocked: true, blocked_at: this.#time.now });
      const asked = { method: 'DELETE', table: 'quotes', of: id, by: SERVICE, shown: [] } as const;
      answer(tables, asked, this.#time.now, this.most);
      if (!tables.events.some(({ quote_id, code }) => quote_id === id && code === 'borrada'))
        tables.events = [...tables.events, { quote_id: id, code: 'borrada', ref: null }];
    }
  }

  #comeBackWith(tables: Tables): void {
    this.tables = new Tables(tables);
    this.#eraseAgain(this.tables);
    this.synced = new Tables(this.tables);
    this.#unsynced = [];
    this.#witness.synced(this.synced);
  }

  start(): void {
    if (this.isUp) return;
    this.isUp = true;
    this.upSince = this.#time.now;
    this.#wakeAlerts();
  }
}

function twinOf(id: string): string {
  return `f${id.slice(1)}`;
}

/** `Math` with another chance. */
export function mathOf(chance: () => number): Math {
  return Object.create(Math, { random: { value: chance } }) as Math;
}
