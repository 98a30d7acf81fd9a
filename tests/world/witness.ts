import { folioOf } from '../../src/lead/folio.ts';
import { sameQuote, type Quote } from '../../src/lead/quote.ts';
import { isWord, type Reply } from '../../src/lead/said.ts';
import { parcelsIn, readEntry, type Entry } from '../../src/outbox/entry.ts';
import type { submitQuote } from '../../src/form/submit-quote.ts';
import {
  SERVICE,
  type Alert,
  type Answered,
  type Asked,
  type Lead,
  type QuoteRow,
  type ReplyRow,
  type Tables,
} from './model.ts';
import type { Page, Phone, Realm } from './phone.ts';
import type { Server } from './server.ts';
import { SECOND } from './time.ts';

type Ending = Awaited<ReturnType<typeof submitQuote>>;

/** How long a lease on the disk is its holder's (src/outbox/one-at-a-time.ts). */
const LEASE = 30 * SECOND;

/** What somebody was told of a quote that was kept on this phone. */
interface Kept {
  readonly phone: Phone;
  readonly id: string;
  /** What was typed, and each correction of it. */
  readonly contents: Quote[];
  /** Its sender was told that it is not wanted, or has taken it out. */
  isOver: boolean;
}

/**
 * Sees all that is said to anybody, and all that is stored, and knows what may not be. What it notes as a failure is a
 * fault of the product, or of this world.
 */
export class Witness {
  readonly failures: string[] = [];
  readonly #trace: (line: () => string) => void;
  readonly #kept = new Map<string, Kept>();
  readonly #replies = new Map<string, { readonly phone: Phone; readonly quoteId: string; readonly reply: Reply }>();
  /** All that was ever on the server's disk. */
  readonly #quotes = new Map<string, QuoteRow>();
  readonly #said = new Set<string>();
  readonly #answers = new Map<string, string>();
  readonly #alerted = new Set<string>();
  /** Ever. */
  readonly #blocked = new Set<string>();
  readonly #leases = new WeakMap<Phone, { readonly holder: number; readonly until: number } | undefined>();
  readonly #sending = new Map<string, Realm>();
  #comebacks = 0;
  /** How much was looked at. */
  readonly counts = { kept: 0, delivered: 0 };

  constructor(trace: (line: () => string) => void) {
    this.#trace = trace;
  }

  fail(what: string): void {
    if (this.failures.includes(what)) return;
    this.failures.push(what);
    this.#trace(() => `WRONG: ${what}`);
  }

  // On a phone

  watch(phone: Phone): void {
    phone.disk.onEntry = (entry) => this.#sees(phone, entry);
    phone.disk.onLease = (noted) => {
      const lease = noted as { readonly holder: number; readonly until: number } | undefined;
      const before = this.#leases.get(phone);
      this.#leases.set(phone, lease);
      if (!lease || !before || lease.holder === before.holder) return;
      const takenAt = lease.until - LEASE;
      if (before.until > takenAt && before.until <= takenAt + LEASE)
        this.fail(`phone ${phone.number}: one took the lease while another had it`);
    };
  }

  /** All that a page says by itself. */
  hear(page: Page): void {
    const heard = new Set<number>();
    const { phone } = page.realm;
    page.code.toasts.subscribe(() => {
      for (const { id, text, about } of page.code.toasts.read()) {
        if (heard.has(id)) continue;
        heard.add(id);
        if (about === 'told') this.#toldDelivered(phone, text.es);
        if (about === 'answers') this.#toldAnswered(phone, text.es);
      }
    });
  }

  notified(phone: Phone, title: string): void {
    if (title.includes('entregada')) this.#toldDelivered(phone, title);
    else this.#toldAnswered(phone, title);
  }

  #toldDelivered(phone: Phone, words: string): void {
    for (const folio of foliosIn(words)) {
      this.#trace(() => `phone ${phone.number} says that ${folio} was delivered`);
      const isThere = [...this.#quotes.keys()].some((id) => folioOf(id) === folio);
      if (!isThere) this.fail(`phone ${phone.number} says that ${folio} was delivered, and it is nowhere`);
    }
  }

  #toldAnswered(phone: Phone, words: string): void {
    for (const folio of foliosIn(words)) {
      const isThere = [...this.#answers.values()].some((id) => folioOf(id) === folio);
      if (!isThere) this.fail(`phone ${phone.number} says that ${folio} was answered, and it was not`);
    }
  }

  /** The receipt says that it is kept. */
  kept(realm: Realm, entry: Entry, corrects: boolean): void {
    if (!realm.isAlive) return;
    const { phone } = realm;
    this.counts.kept += 1;
    this.#trace(() => `${realm.name} keeps ${entry.id.slice(0, 8)} (${entry.state.kind})`);
    const onDisk = phone.disk.durableEntries().find(({ id }) => id === entry.id);
    if (!onDisk) this.fail(`${realm.name} says that ${entry.id} is kept, and it is not on its disk`);
    else if (onDisk.quote && !sameQuote(onDisk.quote, entry.quote!))
      this.fail(`${realm.name} says that ${entry.id} is kept, and its disk has another text`);
    const kept = this.#kept.get(entry.id) ?? { phone, id: entry.id, contents: [], isOver: false };
    const earlier = kept.contents.at(-1);
    if (earlier && !kept.isOver && !corrects && !sameQuote(earlier, entry.quote!))
      this.fail(`${realm.name} keeps another text in the place of ${entry.id}`);
    kept.isOver = false;
    kept.contents.push(entry.quote!);
    this.#kept.set(entry.id, kept);
  }

  /** How a press of the form ended, as its sender is told. */
  ended(realm: Realm, quote: Quote, id: string, ending: Ending): void {
    if (!realm.isAlive) return;
    this.#trace(() => `${realm.name}: ${id.slice(0, 8)} ended ${ending.kind}`);
    if (ending.kind === 'delivered' && !this.#quotes.has(id))
      this.fail(`${realm.name} says that ${id} was delivered, and it is nowhere`);
    if (ending.kind !== 'refused') return;
    const kept = this.#kept.get(id);
    if (kept) kept.isOver = true;
    this.#refused(realm.name, quote, id, ending.refusal);
  }

  #refused(name: string, quote: Quote, id: string, refusal: Extract<Ending, { kind: 'refused' }>['refusal']): void {
    const others = [...this.#quotes.values()];
    if (refusal.kind === 'known') {
      const twin = others.some((row) => row.id !== id && sameQuote(row as unknown as Quote, normal(quote)));
      if (!twin) this.fail(`${name} says that ${id} is known, and nothing like it is there`);
    } else if (refusal.kind === 'superseded') {
      if (!this.#quotes.has(id)) this.fail(`${name} says that ${id} came too late to be changed, and it is nowhere`);
    } else if (isGood(quote)) this.fail(`${name} says that ${id} needs to be corrected, and nothing is wrong with it`);
  }

  /** Its sender took it out, and knows so. */
  removed(id: string): void {
    const kept = this.#kept.get(id);
    if (kept) kept.isOver = true;
  }

  replied(phone: Phone, quoteId: string, reply: Omit<Reply, 'state' | 'createdAt'>): void {
    const onDisk = phone.disk.durableEntries().find(({ id }) => id === quoteId);
    const isRepeated = onDisk?.replies.some(({ kind, answerId }) => kind === reply.kind && answerId === reply.answerId);
    if (!onDisk || !isRepeated) {
      this.fail(`phone ${phone.number} says that a reply to ${quoteId} is kept, and it is not on its disk`);
      return;
    }
    const stored = onDisk.replies.find(({ id }) => id === reply.id);
    if (stored) this.#replies.set(reply.id, { phone, quoteId, reply: stored });
  }

  /** Each entry as it is written. */
  #sees(phone: Phone, entry: Entry): void {
    const { id, state, replies, answers } = entry;
    if (state.kind === 'delivered') {
      this.counts.delivered += 1;
      if (!this.#quotes.has(id)) this.fail(`phone ${phone.number} has ${id} as delivered, and it is nowhere`);
    }
    for (const reply of replies)
      if (reply.state.kind === 'delivered' && reply.kind !== 'vista' && !this.#said.has(reply.id))
        this.fail(`phone ${phone.number} has a reply of ${id} as delivered, and it is nowhere`);
    for (const answer of answers)
      if (this.#answers.get(answer.id) !== id)
        this.fail(`phone ${phone.number} shows an answer to ${id} that nobody gave`);
  }

  /** Something goes out; the returned function is called when it ends. */
  sends(realm: Realm, asked: Asked): () => void {
    const { phone } = realm;
    const id = String(asked.body?.['id'] ?? asked.body?.['answer_id']);
    const isUnkept = phone.disk.isFull || phone.wasFull;
    if (phone.engine !== 'plain' && !isUnkept && phone.locks.holder !== realm && !phone.locks.robbed.has(realm))
      this.fail(`${realm.name} sends ${asked.table} without the lock`);
    const before = this.#sending.get(id);
    const isAllowed =
      phone.engine === 'plain' ||
      isUnkept ||
      !before?.isAlive ||
      phone.locks.robbed.has(before) ||
      phone.locks.robbed.has(realm);
    if (before === realm && !isUnkept && !phone.locks.robbed.has(realm))
      this.fail(`${realm.name} sends ${id} twice at once`);
    if (before && before !== realm && !isAllowed) this.fail(`${realm.name} and ${before.name} send ${id} at once`);
    this.#sending.set(id, realm);
    return () => {
      if (this.#sending.get(id) === realm) this.#sending.delete(id);
    };
  }

  // On the server

  synced(tables: Tables): void {
    for (const [id, row] of tables.quotes) if (!this.#quotes.has(id)) this.#quotes.set(id, row);
    for (const id of tables.replies.keys()) this.#said.add(id);
    for (const id of tables.details.keys()) this.#said.add(id);
    for (const { id, quote_id } of tables.answers.values()) this.#answers.set(id, quote_id);
    for (const { quote_id, blocked } of tables.leads.values()) if (blocked) this.#blocked.add(quote_id);
  }

  /** Nothing is said to be stored before it is on disk. */
  answered({ method, table, body, of }: Asked, { status, rows = [] }: Answered, { synced, erased }: Server): void {
    if (method === 'DELETE' && rows.length > 0) erased.add(of!);
    if (method !== 'POST' || status !== 201) return;
    const id = String(body!['id'] ?? body!['answer_id']);
    const tables: Record<string, ReadonlyMap<string, unknown>> = {
      quotes: synced.quotes,
      quote_replies: synced.replies,
      quote_seen: synced.seen,
      quote_details: synced.details,
      quote_answers: synced.answers,
      offer_moves: synced.moves,
    };
    const isErased = synced.events.some(
      ({ quote_id, code }) => code === 'borrada' && quote_id === (body!['quote_id'] ?? id),
    );
    if (!tables[table]!.has(id) && !isErased)
      this.fail(`the server says that ${table} ${id} is stored, and it is not on its disk`);
  }

  showed({ by, table }: Asked, { rows = [] }: Answered, { tables, erased }: Server): void {
    if (by === SERVICE || table === 'unknown_submissions') return;
    for (const row of rows) {
      const id = String(row['quote_id'] ?? row['id']);
      if (tables.leads.get(id)?.blocked) this.fail(`${table} shows ${id}, which is blocked`);
      if (erased.has(id)) this.fail(`${table} shows ${id}, which was erased`);
    }
  }

  alerted({ quote_id, asked_at, kind }: Alert): void {
    if (kind === 'recuperada') this.#comebacks += 1;
    this.#alerted.add(`${kind} ${quote_id} ${asked_at}`);
  }

  wasAlerted({ quote_id, asked_at }: Lead, { quotes, replies }: Tables): boolean {
    // One alert tells of all that come back at once, and of nothing that is asked of one of them later.
    if (quotes.get(quote_id)?.entregada === asked_at && this.#comebacks > 0) return true;
    const wasTold = (...kinds: readonly string[]) =>
      kinds.some((kind) => this.#alerted.has(`${kind} ${quote_id} ${asked_at}`));
    // A word that comes back is told as what it is: its clock ran out before.
    const isBack = [...replies.values()].some((reply) => reply.quote_id === quote_id && reply.entregada === asked_at);
    return wasTold('tarde') || (isBack && wasTold('pregunta', 'aceptada'));
  }

  // At the end

  /** What still waits, on any phone. */
  waiting(phones: readonly Phone[]): readonly string[] {
    return phones.flatMap((phone) =>
      parcelsIn(phone.disk.entries().map(readEntry)).map(
        ({ id, state }) => `phone ${phone.number}: ${id} (${state.trouble})`,
      ),
    );
  }

  /** Of what phones called kept and is not on the server as it has to be. */
  missing(server: Server): readonly string[] {
    const { synced: tables } = server;
    const wrong: string[] = [];
    const marks = new Map<string, string[]>();
    for (const { id, empresa } of tables.quotes.values()) marks.set(empresa, [...(marks.get(empresa) ?? []), id]);
    for (const kept of this.#kept.values()) {
      const { id, phone, contents } = kept;
      for (const other of marks.get(normal(contents.at(-1)!).empresa) ?? [])
        if (
          other !== id &&
          !this.#meant.has(other) &&
          sameQuote(tables.quotes.get(other) as unknown as Quote, normal(contents.at(-1)!))
        )
          wrong.push(`${id} is stored a second time, as ${other}`);
      if (kept.isOver || server.erased.has(id)) continue;
      const entry = phone.disk
        .entries()
        .map(readEntry)
        .find((each) => each.id === id);
      const row = tables.quotes.get(id);
      const isGone = entry?.quote === null || entry === undefined;
      if (entry?.state.kind === 'refused') {
        this.#refused(`phone ${phone.number}`, contents.at(-1)!, id, entry.state.refusal);
        continue;
      }
      if (!row) {
        // On a shared phone nothing personal is left after the delivery, to be sent again to a server that lost it.
        if (!(isGone && entry && this.#quotes.has(id)))
          wrong.push(`${id} was kept on phone ${phone.number}, and is not stored`);
        // Of what is blocked nobody is told which text is there.
      } else if (!this.#blocked.has(id) && !sameQuote(row as unknown as Quote, normal(contents.at(-1)!)))
        wrong.push(`${id} is not stored as it was typed last`);
    }
    return wrong;
  }

  readonly #meant = new Set<string>();

  /** Somebody pressed for it, whether or not its page lived to say that it is kept. */
  meant(id: string): void {
    this.#meant.add(id);
  }

  /** Is it kept with this very text? */
  keepsAs(quote: Quote): boolean {
    const kept = this.#kept.get(quote.id);
    return kept !== undefined && !kept.isOver && sameQuote(kept.contents.at(-1)!, quote);
  }

  /** Of what phones replied, and above all accepted. */
  missingReplies(server: Server): readonly string[] {
    const { synced: tables } = server;
    const wrong: string[] = [];
    const binding = new Map<string, string>();
    for (const { id, answer_id, verdict } of tables.replies.values()) {
      if (verdict !== 'vale' || answer_id === null) continue;
      if (binding.has(answer_id))
        wrong.push(`offer ${answer_id} was accepted twice, by ${id} and ${binding.get(answer_id)}`);
      binding.set(answer_id, id);
    }
    for (const [id, { phone, quoteId, reply }] of this.#replies) {
      const entry = phone.disk
        .entries()
        .map(readEntry)
        .find((each) => each.id === quoteId);
      const lead = tables.leads.get(quoteId);
      if (!entry?.quote || server.erased.has(quoteId) || !lead || lead.blocked) continue;
      const state = entry.replies.find((each) => each.id === id)?.state;
      // To a phone, what is blocked is not there, and it says so. An older backup may know nothing of the block.
      const wasRefused = state?.kind === 'refused' && 'code' in state.refusal && state.refusal.code === '23503';
      if (wasRefused && this.#blocked.has(quoteId)) continue;
      if (!isWord(reply)) {
        if (reply.kind === 'detalles' && state?.kind === 'delivered' && !tables.details.has(id))
          wrong.push(`details ${id} were delivered, and are not stored`);
        continue;
      }
      const row: ReplyRow | undefined = tables.replies.get(id);
      if (!row) wrong.push(`${reply.kind} ${id} of phone ${phone.number} is not stored (${state?.kind})`);
      else if (
        row.quote_id !== quoteId ||
        (row.answer_id !== reply.answerId && !(row.answer_id === null && row.entregada))
      )
        wrong.push(`${reply.kind} ${id} is stored for another answer`);
      else if (
        reply.kind === 'aceptada' &&
        row.entregada !== undefined &&
        row.answer_id === null &&
        !String(row['body']).trim()
      )
        wrong.push(`acceptance ${id} came back without what was accepted`);
      else if (row.kind !== reply.kind) wrong.push(`${id} is stored as ${row.kind}, and was ${reply.kind}`);
      // By the server's clock, whatever the phone's says.
      else if (row.pressed_at && row.entregada === undefined && row.pressed_at > row.created_at)
        wrong.push(`${id} is said to be pressed in the future`);
    }
    return wrong;
  }
}

/** As it is stored. */
function normal(quote: Quote): Quote {
  return { ...quote, email: quote.email.trim().toLowerCase() };
}

/** Of the quotes that are typed here, those that a server refuses are known by their weight. */
function isGood({ peso }: Quote): boolean {
  return peso <= 1_000_000;
}

function foliosIn(words: string): readonly string[] {
  return words.match(/AP-\w{4}-\w{4}/g) ?? [];
}
