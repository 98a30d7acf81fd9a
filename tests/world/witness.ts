import { folioOf } from '../../src/lead/folio.ts';
import { sameQuote, type Quote } from '../../src/lead/quote.ts';
import { answerIdOf, type Message, type NewMessage } from '../../src/lead/messages.ts';
import { parcelsIn, readEntry, type Entry } from '../../src/outbox/entry.ts';
import type { submitQuote } from '../../src/form/submit-quote.ts';
import type { Answered, Asked, QuoteRow, Tables } from './model.ts';
import type { Page, Phone, Realm } from './phone.ts';
import type { Server } from './server.ts';
import { SECOND } from './time.ts';

type Ending = Awaited<ReturnType<typeof submitQuote>>;

interface Lease {
  readonly holder: number;
  readonly until: number;
}

/** Milliseconds for which a page’s note on the disk locks sending for other pages (src/outbox/one-at-a-time.ts). */
const LEASE = 30 * SECOND;

/** Quote for which a page showed a receipt. */
interface Kept {
  readonly phone: Phone;
  /** All contents of the quote: as first typed, and after each correction. */
  readonly contents: Quote[];
  /** True once the form reported that the server refused the quote. */
  isOver: boolean;
}

/**
 * Checks every text on a page, every request and every stored row. A failure is a fault of the product or of this
 * simulation.
 */
export class Witness {
  readonly failures: string[] = [];
  readonly #trace: (line: () => string) => void;
  readonly #receipts = new Map<string, Kept>();
  readonly #replies = new Map<string, { readonly phone: Phone; readonly quoteId: string; readonly reply: Message }>();
  /** All quotes that were on the server’s disk at any time. */
  readonly #quotes = new Map<string, QuoteRow>();
  readonly #stored = new Set<string>();
  readonly #answers = new Map<string, string>();
  readonly #leases = new WeakMap<Phone, Lease | undefined>();
  readonly #sending = new Map<string, Realm>();
  /** Ids of quotes for which a person pressed the button. */
  readonly #meant = new Set<string>();
  /** Number of receipts and deliveries that were checked. */
  readonly counts = { receipts: 0, delivered: 0 };

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
    phone.disk.onEntry = (entry) => this.#look(phone, entry);
    phone.disk.onLease = (noted) => {
      const lease = noted as Lease | undefined;
      const earlier = this.#leases.get(phone);
      this.#leases.set(phone, lease);
      if (!lease || !earlier || lease.holder === earlier.holder) return;
      if (earlier.until > phone.now && earlier.until <= phone.now + LEASE)
        this.fail(`phone ${phone.number}: two pages have the lease`);
    };
  }

  /** Checks each toast of a page. */
  follow({ code, realm: { phone } }: Page): void {
    code.toasts.subscribe(() => {
      for (const { text, about } of code.toasts.read())
        for (const folio of about === 'announced' ? (text.es.match(/AP-\w{4}-\w{4}/g) ?? []) : [])
          if (![...this.#quotes.keys()].some((id) => folioOf(id) === folio))
            this.fail(`phone ${phone.number} reports ${folio} as delivered, but the server never had it`);
    });
  }

  /** Checks a receipt: the receipt promises that the quote is stored. */
  kept(realm: Realm, entry: Entry, corrects: boolean): void {
    if (!realm.isAlive) return;
    const { phone } = realm;
    const { id } = entry;
    const quote = entry.quote!;
    this.counts.receipts += 1;
    this.#trace(() => `${realm.name} keeps ${id.slice(0, 8)} (${entry.state.kind})`);
    const onDisk = phone.disk.durableEntries().find((each) => each.id === id);
    if (!onDisk) this.fail(`${realm.name} reports ${id} as stored, but the disk lacks it`);
    else if (onDisk.quote && !sameQuote(onDisk.quote, quote))
      this.fail(`${realm.name} reports ${id} as stored, but the disk has another text`);
    const receipt = this.#receipts.get(id) ?? { phone, contents: [], isOver: false };
    const earlier = receipt.contents.at(-1);
    if (earlier && !receipt.isOver && !corrects && !sameQuote(earlier, quote))
      this.fail(`${realm.name} replaced the text of ${id}`);
    receipt.isOver = false;
    receipt.contents.push(quote);
    this.#receipts.set(id, receipt);
  }

  /** Checks the result that the form reports after a press of the button. */
  ended(realm: Realm, id: string, ending: Ending): void {
    if (!realm.isAlive) return;
    this.#trace(() => `${realm.name}: ${id.slice(0, 8)} ended ${ending.kind}`);
    if (ending.kind === 'delivered' && !this.#quotes.has(id))
      this.fail(`${realm.name} reports ${id} as delivered, but the server never had it`);
    if (ending.kind !== 'refused') return;
    this.#end(id);
    this.#judge(realm.name, id, ending.refusal);
  }

  #judge(name: string, id: string, { kind }: Extract<Ending, { kind: 'refused' }>['refusal']): void {
    if (kind !== 'superseded') this.fail(`${name} reports ${id} as ${kind}, but the quote is valid`);
    else if (!this.#quotes.has(id))
      this.fail(`${name} reports ${id} as delivered before its correction, but the server never had it`);
  }

  #end(id: string): void {
    const receipt = this.#receipts.get(id);
    if (receipt) receipt.isOver = true;
  }

  /** Notes that a person pressed the button for this id. */
  meant(id: string): void {
    this.#meant.add(id);
  }

  keepsAs(quote: Quote): boolean {
    const receipt = this.#receipts.get(quote.id);
    return receipt !== undefined && !receipt.isOver && sameQuote(receipt.contents.at(-1)!, quote);
  }

  replied(phone: Phone, quoteId: string, reply: NewMessage): void {
    const onDisk = phone.disk.durableEntries().find(({ id }) => id === quoteId);
    const same = onDisk?.messages.some((one) => one.kind === reply.kind && answerIdOf(one) === answerIdOf(reply));
    if (!same) this.fail(`phone ${phone.number} reports a reply to ${quoteId} as stored, but the disk lacks it`);
    const stored = onDisk?.messages.find(({ id }) => id === reply.id);
    if (stored) this.#replies.set(reply.id, { phone, quoteId, reply: stored });
  }

  /** Checks an entry when a page writes it to the disk. */
  #look(phone: Phone, { id, state, messages, answers }: Entry): void {
    if (state.kind === 'delivered') {
      this.counts.delivered += 1;
      if (!this.#quotes.has(id)) this.fail(`phone ${phone.number} has ${id} as delivered, but the server never had it`);
    }
    if (messages.some((reply) => reply.state.kind === 'delivered' && !this.#stored.has(reply.id)))
      this.fail(`phone ${phone.number} has a reply of ${id} as delivered, but the server never had it`);
    if (answers.some((answer) => this.#answers.get(answer.id) !== id))
      this.fail(`phone ${phone.number} shows an answer to ${id} that nobody gave`);
  }

  /** Checks a request. The returned function is called when the request ends. */
  sends(realm: Realm, { table, body }: Asked): () => void {
    const { engine, locks } = realm.phone;
    const id = String(body?.['id']);
    const other = this.#sending.get(id);
    const isRobbed = locks.robbed.has(realm) || (other !== undefined && locks.robbed.has(other));
    if (!isRobbed) {
      if (engine !== 'plain' && locks.holder !== realm) this.fail(`${realm.name} sends ${table} without the lock`);
      if (other === realm) this.fail(`${realm.name} sends ${id} twice at once`);
      else if (engine !== 'plain' && other?.isAlive) this.fail(`${realm.name} and ${other.name} send ${id} at once`);
    }
    this.#sending.set(id, realm);
    return () => {
      if (this.#sending.get(id) === realm) this.#sending.delete(id);
    };
  }

  // On the server

  synced(tables: Tables): void {
    for (const [id, row] of tables.quotes) if (!this.#quotes.has(id)) this.#quotes.set(id, row);
    for (const id of tables.replies.keys()) this.#stored.add(id);
    for (const { id, quote_id } of tables.answers.values()) this.#answers.set(id, quote_id);
  }

  /** Checks that the server acknowledges only rows on its disk. */
  answered({ table, body }: Asked, { status }: Answered, { synced }: Server): void {
    if (status !== 201) return;
    const tables = { quotes: synced.quotes, quote_replies: synced.replies, quote_answers: synced.answers };
    const id = String(body!['id']);
    if (!tables[table as keyof typeof tables].has(id))
      this.fail(`the server acknowledged ${table} ${id}, but the disk lacks it`);
  }

  // At the end

  /** Describes all quotes and replies that still wait on a phone. */
  waiting(phones: readonly Phone[]): readonly string[] {
    return phones.flatMap(({ number, disk }) =>
      parcelsIn(disk.entries().map(readEntry)).map(
        ({ id, state }) => `phone ${number} never sent ${id} (${state.trouble})`,
      ),
    );
  }

  /** Describes acknowledged quotes and replies that the server lacks or has with other values. */
  missing({ synced }: Server): readonly string[] {
    return [
      ...[...this.#receipts].flatMap(([id, receipt]) => this.#missingQuote(id, receipt, synced) ?? []),
      ...[...this.#receipts].flatMap(([id, receipt]) => this.#twin(id, receipt, synced) ?? []),
      ...[...this.#replies].flatMap(([id, { phone, quoteId, reply }]) => {
        if (!entryOf(phone, quoteId)?.quote || !synced.quotes.has(quoteId)) return [];
        const row = synced.replies.get(id);
        if (!row) return `${reply.kind} ${id} of phone ${phone.number} is not stored`;
        const isOfAnswer =
          row.answer_id === answerIdOf(reply) || (row.answer_id === null && row.entregada !== undefined);
        if (row.quote_id !== quoteId || row.kind !== reply.kind || !isOfAnswer)
          return `${reply.kind} ${id} is stored for another answer`;
        const isBare = row.kind === 'aceptada' && row.answer_id === null && !String(row['body']).trim();
        return isBare ? `acceptance ${id} came back without the accepted offer` : [];
      }),
    ];
  }

  #missingQuote(id: string, { phone, contents, isOver }: Kept, { quotes }: Tables): string | undefined {
    if (isOver) return undefined;
    const entry = entryOf(phone, id);
    const text = contents.at(-1)!;
    if (entry?.state.kind === 'refused') {
      this.#judge(`phone ${phone.number}`, id, entry.state.refusal);
      return undefined;
    }
    const row = quotes.get(id);
    if (row) return isStoredAs(row, text) ? undefined : `${id} is stored with an earlier text`;
    // A shared phone erases delivered quotes, so it cannot send them again after the server has lost them.
    const isForgotten = entry?.quote === null && this.#quotes.has(id);
    return isForgotten ? undefined : `phone ${phone.number} acknowledged ${id}, but the server lacks it`;
  }

  #twin(id: string, { contents }: Kept, { quotes }: Tables): string | undefined {
    for (const row of quotes.values())
      if (row.id !== id && !this.#meant.has(row.id) && isStoredAs(row, contents.at(-1)!))
        return `${id} is stored a second time, as ${row.id}`;
    return undefined;
  }
}

function entryOf(phone: Phone, id: string): Entry | undefined {
  return phone.disk
    .entries()
    .map(readEntry)
    .find((each) => each.id === id);
}

function isStoredAs(row: QuoteRow, quote: Quote): boolean {
  return row.empresa === quote.empresa && sameQuote(row as unknown as Quote, quote);
}
